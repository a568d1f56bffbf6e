// The list over the message box that completes what is being typed: @names, #channels, and /commands at the start.

import { el } from "./dom.js";
import { pictureOf, portrait, rooms, world } from "./world.js";
import { authors } from "./log.js";

// Completion shows choices for a field. sources is a list of {pattern, find(word) → [{label, hint, icon, insert | act}]}, where
// pattern is matched against the text before the caret, its first group being the word. none(), where it is given, is what to say when
// nothing was found.
export class Completion {
  constructor(field, sources) {
    this.field = field;
    this.sources = sources;
    this.box = el("ul", { class: "complete", id: field.id + "-list", role: "listbox", "aria-label": "Completions", hidden: true });
    field.parentElement.before(this.box);
    field.setAttribute("aria-controls", this.box.id);
    field.setAttribute("aria-autocomplete", "list");
    field.addEventListener("input", () => this.look());
    field.addEventListener("click", () => this.look());
    field.addEventListener("blur", () => setTimeout(() => this.close(), 150));
  }

  // open tells whether something can be chosen.
  get open() { return !this.box.hidden && !this.box.querySelector("[aria-disabled]"); }

  async look() {
    const before = this.field.value.slice(0, this.field.selectionStart), turn = this.turn = {};
    for (const s of this.sources) {
      const m = s.pattern.exec(before);
      if (!m) continue;
      const found = (await s.find(m[1].toLowerCase())).slice(0, 10);
      if (turn !== this.turn) return;
      if (found.length === 0 && s.none) { this.say(await s.none()); return; }
      this.show(found, before.length - m[0].length + (m[0].length - m[0].trimStart().length), before.length);
      return;
    }
    this.close();
  }

  show(found, from, to) {
    this.found = found;
    this.span = [from, to];
    this.box.hidden = found.length === 0;
    this.box.replaceChildren(...found.map((f, i) => el("li", { role: "option", id: this.box.id + i, on: { pointerdown: e => { e.preventDefault(); this.take(i); } } },
      f.picture ? el("img", { src: f.picture, alt: "" }) : null, el("span", { text: f.label }), f.hint ? el("small", { text: f.hint }) : null)));
    this.select(0);
  }

  // say shows a line that offers nothing, or closes the list where there is nothing to say.
  say(text) {
    this.close();
    if (!text) return;
    this.box.replaceChildren(el("li", { role: "option", "aria-disabled": "true", class: "quiet", text }));
    this.box.hidden = false;
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
    if (!this.open) { if (e.key === "Escape") this.close(); return false; }
    const n = this.found.length;
    if (e.key === "ArrowDown" || e.key === "ArrowUp") this.select((this.at + (e.key === "ArrowDown" ? 1 : n - 1)) % n);
    else if (e.key === "Enter" || e.key === "Tab") this.take(this.at);
    else if (e.key === "Escape") this.close();
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
    this.turn = null;
    this.box.hidden = true;
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
