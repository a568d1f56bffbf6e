// The list over the message box that completes what is being typed: @names, #channels, and /commands at the start; and the list of an
// option's values.

import { el } from "./dom.js";
import { pictureOf, portrait, rooms, world } from "./world.js";
import { authors } from "./log.js";

// Completion shows choices for a field. sources is a list of {pattern, find(word) → [{label, hint, below, picture, insert | act}]}, where
// pattern is matched against the text before the caret, its first group being the word. A source may say what to show when nothing was
// found (none()), while the answer is on its way (waiting) and when it does not come (failed), how many it shows (most), and whether
// nothing is chosen until a key chooses or something is typed (lazy). host is where the list stands; pause is how long typing rests before
// a source is asked.
export class Completion {
  constructor(field, sources, { host = field.parentElement, pause = 0 } = {}) {
    Object.assign(this, { field, sources, pause, found: [], at: -1 });
    this.box = el("ul", { class: "complete", id: field.id + "-list", role: "listbox", "aria-label": "Completions", hidden: true });
    host.before(this.box);
    field.setAttribute("aria-controls", this.box.id);
    field.setAttribute("aria-autocomplete", "list");
    field.addEventListener("input", () => this.soon());
    field.addEventListener("click", () => { if (!this.open) this.look(); });
    field.addEventListener("blur", () => setTimeout(() => { if (document.activeElement !== field) this.close(); }, 150));
  }

  // open tells whether something can be chosen.
  get open() { return !this.box.hidden && !this.box.querySelector("[aria-disabled]"); }

  // soon looks when the typing rests. What was asked for an older word is not shown any more.
  soon() {
    clearTimeout(this.timer);
    if (!this.pause) { this.look(); return; }
    this.turn = null;
    this.timer = setTimeout(() => this.look(), this.pause);
  }

  async look() {
    clearTimeout(this.timer);
    const before = this.field.value.slice(0, this.field.selectionStart), turn = this.turn = {};
    for (const s of this.sources) {
      const m = s.pattern.exec(before);
      if (!m) continue;
      const late = s.waiting && setTimeout(() => { if (turn === this.turn) this.line(s.waiting, true); }, 120);
      let found;
      try { found = (await s.find(m[1].toLowerCase())).slice(0, s.most || 10); } catch {
        if (turn === this.turn) this.line(s.failed || "");
        return;
      } finally { clearTimeout(late); }
      if (turn !== this.turn) return;
      if (found.length === 0 && s.none) { this.line(await s.none()); return; }
      this.show(found, before.length - m[0].length + (m[0].length - m[0].trimStart().length), before.length, s.lazy && !m[1] ? -1 : 0);
      return;
    }
    this.close();
  }

  show(found, from, to, at = 0) {
    this.found = found;
    this.span = [from, to];
    this.expand(found.length > 0);
    this.box.replaceChildren(...found.map((f, i) => el("li", { role: "option", id: this.box.id + i, on: { pointerdown: e => { e.preventDefault(); this.take(i); } } },
      f.picture ? el("img", { src: f.picture, alt: "" }) : null, el("span", { class: "what" }, el("span", { text: f.label, lang: f.lang }), f.below ? el("small", { text: f.below, lang: f.lang }) : null),
      f.hint ? el("small", { class: "side", text: f.hint }) : null)));
    this.select(at);
    this.box.scrollTop = 0;
  }

  // line shows words that offer nothing, or closes the list where there are none.
  line(text, busy) {
    if (!text) { this.close(); return; }
    this.found = [];
    this.field.removeAttribute("aria-activedescendant");
    this.box.replaceChildren(el("li", { role: "option", "aria-disabled": "true", class: busy ? "quiet busy" : "quiet", text }));
    this.expand(true);
  }

  expand(on) {
    this.box.hidden = !on;
    if (this.field.getAttribute("role") === "combobox") this.field.setAttribute("aria-expanded", String(on));
  }

  select(i) {
    this.at = i;
    [...this.box.children].forEach((c, n) => c.setAttribute("aria-selected", String(n === i)));
    if (this.open && this.box.children[i]) {
      this.field.setAttribute("aria-activedescendant", this.box.children[i].id);
      this.box.children[i].scrollIntoView({ block: "nearest" });
    } else this.field.removeAttribute("aria-activedescendant");
  }

  // key handles a key while the list is open; it returns whether it did.
  key(e) {
    if (e.isComposing) return false;
    if (this.box.hidden) return false;
    const n = this.found.length, chosen = this.at >= 0 && n > 0;
    if (e.key === "Escape") this.close();
    else if (!n) return false;
    else if (e.key === "ArrowDown" || e.key === "ArrowUp") this.select((this.at + (e.key === "ArrowDown" ? 1 : chosen ? n - 1 : n)) % n);
    else if ((e.key === "Enter" || e.key === "Tab" && !e.shiftKey) && chosen) this.take(this.at);
    else return false;
    e.preventDefault();
    e.stopPropagation();
    return true;
  }

  take(i) {
    const f = this.found[i], [from, to] = this.span, text = this.field.value;
    this.close();
    if (f.act) { f.act(); return; }
    this.field.setRangeText(f.insert, from, to, "end");
    if (text.length !== this.field.value.length) this.field.dispatchEvent(new Event("input", { bubbles: true }));
    this.close();
  }

  close() {
    clearTimeout(this.timer);
    this.turn = null;
    this.found = [];
    this.expand(false);
    this.field.removeAttribute("aria-activedescendant");
  }
}

const begins = (name, word) => name.toLowerCase().includes(word);

// people completes "@": everybody of the guild, the voices of the application, which no mention reaches but their plain names, the
// personas that have spoken here, and roles.
export const people = {
  pattern: /(?:^|\s)@([\p{L}\p{N}_. -]{0,24})$/u,
  find(word) {
    const s = world.state, list = [];
    for (const u of [s.bot, ...s.bots, ...s.users]) list.push({ label: u.name, hint: s.users.includes(u) ? "" : "app", picture: portrait({ name: u.name, avatar: pictureOf(u) }), insert: "@" + u.name + " " });
    for (const v of s.voices) list.push({ label: v.name, hint: "through " + s.bot.name, picture: portrait({ name: v.name, avatar: v.image }), insert: v.name + " " });
    for (const a of authors()) if (!list.some(l => l.label === a.name)) list.push({ label: a.name, hint: "persona", picture: portrait(a), insert: "@" + a.name + " " });
    for (const r of s.roles) if (r.name !== "@everyone") list.push({ label: "@" + r.name, hint: "role", insert: "<@&" + r.id + "> " });
    return list.filter(l => begins(l.label, word)).sort((a, b) => b.label.toLowerCase().startsWith(word) - a.label.toLowerCase().startsWith(word));
  },
};

// places completes "#".
export const places = {
  pattern: /(?:^|\s)#([\p{L}\p{N}_-]{0,24})$/u,
  find: word => rooms().filter(r => !r.dm && !r.heading && begins(r.name, word)).map(r => ({ label: "#" + r.name, insert: "<#" + r.id + "> " })),
};
