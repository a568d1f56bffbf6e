// A select menu: what is chosen, and a list that opens over the page to choose one or several from.

import { el, icon } from "./dom.js";

let next = 0;

export class Picker {
  // what is {label, placeholder, least, most, options() → [{label, value, description, hint, emoji, picture}], chosen: values, disabled,
  // custom: the custom_id, done(values)}.
  constructor(what) {
    Object.assign(this, { least: 1, most: 1, chosen: [], done() {} }, what);
    this.id = "pick-" + ++next;
    this.button = el("button", {
      type: "button", class: "menu", role: "combobox", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": this.id, "data-custom": this.custom, disabled: this.disabled,
      on: { click: () => this.box ? this.leave(true) : this.open(), keydown: e => { if (!this.box && (e.key === "ArrowDown" || e.key === "ArrowUp")) { e.preventDefault(); this.open(); } } },
    });
    this.node = el("div", { class: "pick" }, this.button);
    this.draw();
  }

  get several() { return this.most > 1; }

  focus() { this.button.focus(); }

  draw() {
    const all = this.options(), picked = this.chosen.map(v => all.find(o => o.value === v)).filter(Boolean), many = picked.length > 1;
    const show = o => el("span", { class: many ? "one" : "" }, o.emoji ? o.emoji + " " : "", o.label);
    this.button.replaceChildren(picked.length ? el("span", { class: "picked" }, ...picked.map(show)) : el("span", { class: "nothing", text: this.placeholder }), icon("down"));
    this.button.setAttribute("aria-label", (this.label || this.placeholder) + ": " + (picked.map(o => o.label).join(", ") || "nothing chosen"));
  }

  open() {
    if (this.disabled || this.button.getAttribute("aria-disabled") === "true") return;
    this.all = this.options();
    this.now = [...this.chosen];
    this.list = el("ul", { id: this.id, role: "listbox", "aria-label": this.label || this.placeholder, "aria-multiselectable": String(this.several), tabindex: "-1" });
    this.filter = this.all.length > 8 || this.searched ? el("input", { type: "text", class: "field", placeholder: "Search", "aria-label": "Search", "aria-controls": this.id, autocomplete: "off", on: { input: () => this.fill() } }) : null;
    this.told = el("span", { class: "quiet" });
    this.ready = el("button", { type: "button", class: "primary", text: "Done", on: { click: () => this.leave(true) } });
    this.box = el("div", { class: "options", popover: "manual", on: { keydown: e => this.key(e) } }, this.filter, this.list, this.several ? el("div", { class: "end" }, this.told, this.ready) : null);
    this.node.append(this.box);
    this.fill();
    this.box.showPopover();
    this.button.setAttribute("aria-expanded", "true");
    this.moved = () => this.place();
    this.pressed = e => { if (!this.node.contains(e.target)) this.leave(true, false); };
    addEventListener("scroll", this.moved, true);
    addEventListener("resize", this.moved);
    addEventListener("pointerdown", this.pressed, true);
    this.place();
    (this.filter || this.list).focus();
    if (this.list.children[this.at]) this.list.children[this.at].scrollIntoView({ block: "nearest" });
  }

  // place puts the list under the button, or over it where there is more room.
  place() {
    if (!this.box || !this.button.isConnected) return;
    const a = this.button.getBoundingClientRect(), s = this.box.style, below = innerHeight - a.bottom - 12, above = a.top - 12, up = below < 240 && above > below;
    const width = Math.min(Math.max(a.width, 240), innerWidth - 16);
    s.width = width + "px";
    s.left = Math.min(Math.max(8, a.left), innerWidth - width - 8) + "px";
    s.maxHeight = Math.min(360, up ? above : below) + "px";
    s.top = up ? "auto" : a.bottom + 4 + "px";
    s.bottom = up ? innerHeight - a.top + 4 + "px" : "auto";
  }

  // fill draws the options that fit the search.
  fill() {
    const word = this.filter ? this.filter.value.trim().toLowerCase() : "";
    this.seen = this.all.filter(o => o.label.toLowerCase().includes(word) || (o.description || "").toLowerCase().includes(word));
    const first = this.seen.findIndex(o => this.now.includes(o.value));
    this.list.replaceChildren(...this.seen.map((o, i) => el("li", { role: "option", id: this.id + "-" + i, on: { click: () => this.take(i), pointermove: () => this.point(i) } },
      this.several ? el("i", { class: "tick" }) : null, o.picture ? el("img", { src: o.picture, alt: "" }) : null, o.emoji ? el("span", { class: "emoji", text: o.emoji }) : null,
      el("span", { class: "what" }, el("span", { text: o.label }), o.description ? el("small", { text: o.description }) : null), o.hint ? el("small", { class: "side", text: o.hint }) : null)));
    if (!this.seen.length) this.list.append(el("li", { class: "quiet", text: "No options match your search." }));
    this.point(Math.max(0, first));
    this.mark();
  }

  mark() {
    const full = this.several && this.now.length >= this.most;
    this.seen.forEach((o, i) => {
      const on = this.now.includes(o.value), li = this.list.children[i];
      li.setAttribute("aria-selected", String(on));
      li.toggleAttribute("aria-disabled", full && !on);
    });
    this.told.textContent = this.now.length < this.least ? `Choose ${this.least}${this.most > this.least ? " to " + this.most : ""}` : `${this.now.length} of ${this.most} chosen`;
    this.ready.disabled = this.now.length < this.least;
  }

  point(i) {
    this.at = i;
    [...this.list.children].forEach((li, n) => li.classList.toggle("at", n === i));
    const li = this.seen[i] && this.list.children[i];
    for (const e of [this.list, this.filter]) if (e) { if (li) e.setAttribute("aria-activedescendant", li.id); else e.removeAttribute("aria-activedescendant"); }
  }

  take(i) {
    const o = this.seen[i];
    if (!o) return;
    const on = this.now.includes(o.value);
    if (!this.several) { this.now = on && this.least === 0 ? [] : [o.value]; this.leave(true); return; }
    if (on) this.now = this.now.filter(v => v !== o.value);
    else if (this.now.length < this.most) this.now.push(o.value);
    this.mark();
  }

  key(e) {
    const n = this.seen.length, typing = e.target === this.filter, go = i => { e.preventDefault(); this.point(i); if (this.list.children[i]) this.list.children[i].scrollIntoView({ block: "nearest" }); };
    e.stopPropagation();
    if (e.key === "Escape") { e.preventDefault(); this.leave(false); }
    else if (e.key === "ArrowDown" && n) go((this.at + 1) % n);
    else if (e.key === "ArrowUp" && n) go((this.at + n - 1) % n);
    else if (e.key === "Home" && !typing) go(0);
    else if (e.key === "End" && !typing) go(n - 1);
    else if ((e.key === "Enter" || e.key === " " && !typing) && e.target !== this.ready) { e.preventDefault(); this.take(this.at); }
    else if (e.key === "Tab" && !this.several) { e.preventDefault(); this.leave(false); }
    else if (e.key.length === 1 && !typing && !this.filter) {
      const i = this.seen.findIndex(o => o.label.toLowerCase().startsWith(e.key.toLowerCase()));
      if (i >= 0) go(i);
    }
  }

  // leave closes the list; what was chosen is taken where it is to be and may be.
  leave(taking, back = true) {
    if (!this.box) return;
    const now = this.now, same = now.length === this.chosen.length && now.every(v => this.chosen.includes(v));
    removeEventListener("scroll", this.moved, true);
    removeEventListener("resize", this.moved);
    removeEventListener("pointerdown", this.pressed, true);
    this.box.remove();
    this.box = null;
    this.button.setAttribute("aria-expanded", "false");
    if (back && this.button.isConnected) this.button.focus();
    if (!taking || now.length < this.least || same && this.several) return;
    this.chosen = now;
    this.draw();
    this.done([...now]);
  }
}
