// The form of a slash command, in the place of the message box: the options that are filled in, one after the other, and those that may be
// added. Everything can be done by the keyboard.

import { el, icon, iconButton } from "./dom.js";
import { Completion } from "./complete.js";
import { OptionField, rule } from "./option.js";
import { described, named } from "./locale.js";

export class CommandForm {
  // done is {send(form), cancel()}; given are texts by option.
  constructor(command, done, given = {}) {
    this.command = command;
    this.name = command.name;
    this.done = done;
    this.fields = [];
    this.about = el("p", { class: "about-option" });
    this.complaint = el("p", { class: "complaint", role: "alert", hidden: true });
    this.host = el("div", { class: "line-of" }, el("b", { class: "slash", text: "/" + command.shown, title: command.description }));
    this.node = el("form", { class: "command", novalidate: true, "aria-label": "Command /" + command.shown, on: { submit: e => { e.preventDefault(); this.submit(); }, keydown: e => this.key(e) } },
      this.about, this.complaint, el("div", { class: "bar-of-command" }, this.host, el("button", { type: "submit", class: "iconic", id: "send-command", "aria-label": "Send the command", title: "Send the command" }, icon("send")),
        iconButton("close", "Leave the command", done.cancel, { id: "leave-command" })));
    this.adding();
    for (const o of command.options) if (o.required || given[o.name] !== undefined) this.add(o, given[o.name]);
    this.count();
    this.describe(null);
  }

  // adding is the field behind the others, in which one types the name of an option that may be added.
  adding() {
    this.adder = el("input", { type: "text", id: "option-adder", role: "combobox", class: "adder", "aria-label": "Add an option", autocomplete: "off", size: "12" });
    this.spare = el("span", { class: "hold spare" }, this.adder);
    this.host.append(this.spare);
    const find = word => this.left().filter(o => named(o).toLowerCase().includes(word) || o.name.includes(word)).map(o => ({ label: named(o), below: described(o), act: () => this.add(o).focus() }));
    this.more = new Completion(this.adder, [{ pattern: /^([\s\S]*)$/, find, none: () => "No option of this name.", lazy: true, most: 25 }], { host: this.about });
    this.adder.addEventListener("focus", () => { this.describe(null); this.more.look(); });
    this.adder.addEventListener("input", () => {
      const typed = /^\s*(.+?)\s*:\s*(.*)$/.exec(this.adder.value), o = typed && this.left().find(x => [named(x), x.name].some(n => n.toLowerCase() === typed[1].toLowerCase()));
      if (o) this.add(o, typed[2]).focus();
    });
  }

  left() { return this.command.options.filter(o => !this.fields.some(f => f.o === o)); }

  // add puts a field in for an option; those that are required stand first, in the order of the command.
  add(o, given) {
    const field = new OptionField(o, {
      name: this.name, host: this.about, partial: but => this.partial(but), focused: f => this.describe(f), removed: f => this.remove(f), typed: f => this.typed(f),
      taken: () => { const next = this.fields.find(f => f.o.required && f.empty); if (next) next.focus(); },
    });
    this.fields.push(field);
    this.spare.before(field.node);
    if (given) field.fill(given);
    this.adder.value = "";
    this.more.close();
    this.count();
    return field;
  }

  // typed follows who types the whole line: "name:" goes to that option, and says nothing in its own.
  typed(field) {
    const m = /(?:^|\s)([^\s:]+):\s?$/.exec(field.input.value), is = o => [named(o), o.name].some(n => n.toLowerCase() === m[1].toLowerCase());
    if (!m) return;
    const rest = field.input.value.slice(0, m.index), other = this.left().find(is) || (this.fields.find(f => f !== field && f.empty && is(f.o)) || {}).o;
    if (is(field.o) && !rest.trim()) field.input.value = "";
    else if (other) {
      field.input.value = rest.trim();
      field.grow();
      (this.fields.find(f => f.o === other) || this.add(other)).focus();
    }
  }

  remove(field) {
    const at = this.fields.indexOf(field);
    field.node.remove();
    if (field.list) field.list.box.remove();
    this.fields.splice(at, 1);
    this.count();
    (at > 0 ? this.fields[at - 1] : this.adder).focus();
  }

  count() {
    const n = this.left().length;
    this.spare.hidden = n === 0;
    this.adder.placeholder = `+${n} optional`;
  }

  // describe says what the option that has the focus wants, or what the command does.
  describe(field) {
    const head = field ? [el("b", { text: field.name }), " " + described(field.o), el("small", { text: rule(field.o) })] : [el("b", { text: "/" + this.command.shown }), " " + this.command.description];
    this.about.replaceChildren(...head);
    if (field && field.pick && field.pick.error) this.complain(field.pick.error);
    else if (!this.complaint.hidden && field && !field.problem()) this.complain("");
  }

  complain(text) {
    this.complaint.hidden = !text;
    this.complaint.textContent = text;
  }

  focus() { (this.fields.find(f => f.empty) || this.fields.at(-1) || (this.spare.hidden ? this.node.querySelector("#send-command") : this.adder)).focus(); }

  key(e) {
    const field = this.fields.find(f => f.node.contains(e.target)), list = field ? field.list : e.target === this.adder ? this.more : null;
    if (list && list.key(e)) return;
    if (e.key === "Escape" && !e.defaultPrevented) { e.stopPropagation(); this.done.cancel(); }
    if (e.key === "Enter" && e.target.matches("input") && !e.isComposing) { e.preventDefault(); this.submit(); }
    if (e.key === "Backspace" && e.target.matches("input") && e.target.value === "") {
      const at = field ? this.fields.indexOf(field) : this.fields.length;
      if (field && !field.o.required) { e.preventDefault(); this.remove(field); } else if (at > 0) { e.preventDefault(); this.fields[at - 1].focus(); }
    }
  }

  // submit sends, or says what is wrong and goes there.
  submit() {
    for (const f of this.fields) {
      const text = f.problem();
      f.wrong(text);
      if (!text) continue;
      this.complain(text);
      f.focus();
      return;
    }
    if (this.adder.value.trim()) { this.complain("There is no option of this name."); this.adder.focus(); return; }
    this.complain("");
    this.done.send(this);
  }

  // options are the values by name.
  async options() {
    const out = {};
    for (const f of this.fields) {
      const value = await f.value();
      if (value !== undefined) out[f.o.name] = value;
    }
    return out;
  }

  // partial are the values that can be told while another field is typed.
  partial(but) {
    const out = {};
    for (const f of this.fields) if (f !== but && !f.pick && !f.empty && !f.problem()) out[f.o.name] = f.now();
    return out;
  }
}
