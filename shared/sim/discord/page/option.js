// One option of a slash command while it is filled in: a field for its type, what is wrong with it, and its value.

import { ask } from "./net.js";
import { el, iconButton } from "./dom.js";
import { Completion } from "./complete.js";
import { entities } from "./entity.js";
import { FilePick } from "./file.js";
import { described, named } from "./locale.js";
import { world } from "./world.js";

const text = 3, whole = 4, bool = 5, number = 10, file = 11;
const kinds = { 6: "user", 7: "channel", 8: "role", 9: "mentionable" };
const words = { 3: "text", 4: "a whole number", 5: "true or false", 6: "somebody", 7: "a channel", 8: "a role", 9: "somebody or a role", 10: "a number", 11: "a file" };

// choices are what an option offers: its own, or what there is of its type. null where anything may be typed.
function choices(o) {
  if (o.choices && o.choices.length) return o.choices.map(c => ({ label: named(c), value: c.value }));
  if (o.type === bool) return [{ label: "True", value: true }, { label: "False", value: false }];
  return kinds[o.type] ? entities(kinds[o.type], o.channel_types) : null;
}

// rule says in words what an option takes.
export function rule(o) {
  const low = o.min_value ?? o.min_length, high = o.max_value ?? o.max_length, unit = o.type === text ? " characters" : "";
  const span = low !== undefined && high !== undefined ? `${low} to ${high}${unit}` : low !== undefined ? `${low}${unit} or more` : high !== undefined ? `${high}${unit} at most` : "";
  return [words[o.type], span, o.type === file ? "10 MB at most" : ""].filter(Boolean).join(", ");
}

export class OptionField {
  // form is {name, host, partial(but), focused(field), removed(field), taken(field),
  // typed(field), which may take the name of an option off the end}.
  constructor(o, form) {
    this.o = o;
    this.name = named(o);
    const label = this.name + ": " + (described(o) || "") + (o.required ? ", required" : "");
    if (o.type === file) {
      this.pick = new FilePick({ label, changed: () => form.focused(this) });
      this.input = this.pick.button;
    } else {
      this.input = el("input", {
        type: "text", id: "option-" + o.name, "aria-label": label, autocomplete: "off", spellcheck: o.type === text ? undefined : "false",
        inputmode: o.type === whole ? "numeric" : o.type === number ? "decimal" : undefined, size: "1", enterkeyhint: "send",
      });
      if (choices(o) || o.autocomplete) this.input.setAttribute("role", "combobox");
    }
    this.node = el("div", { class: "option", "data-option": o.name, on: { click: e => { if (e.target === this.node || e.target.className === "named") this.focus(); } } },
      el("span", { class: "named", text: this.name }), this.pick ? this.pick.node : el("span", { class: "hold" }, this.input),
      o.required ? null : iconButton("close", "Leave " + this.name + " out", () => form.removed(this), { class: "iconic out", tabindex: "-1" }));
    this.node.addEventListener("focusin", () => form.focused(this));
    if (!this.pick) this.listen(form);
  }

  listen(form) {
    const strict = choices(this.o), take = c => { this.put(c.label, c.value); form.taken(this); };
    if (strict) {
      const find = word => choices(this.o).filter(c => c.label.toLowerCase().includes(word)).map(c => ({ ...c, act: () => take(c) }));
      this.list = new Completion(this.input, [{ pattern: /^([\s\S]*)$/, find, none: () => "No options match your search.", lazy: true, most: 25 }], { host: form.host });
    } else if (this.o.autocomplete) {
      const find = async () => {
        const answer = await ask("POST", "/interactions", {
          kind: "autocomplete", user: world.me.id, channel: world.channel.id, command: form.name, options: { ...form.partial(this), [this.o.name]: this.input.value }, focused: this.o.name,
        });
        if (answer.error) throw new Error(answer.error);
        return (answer.choices || []).map(c => ({ label: named(c), value: c.value })).map(c => ({ ...c, act: () => take(c) }));
      };
      this.list = new Completion(this.input, [{ pattern: /^([\s\S]*)$/, find, none: () => "No options match your search.", waiting: "Loading options…", failed: "Loading options failed", lazy: true, most: 25 }],
        { host: form.host, pause: 250 });
    }
    this.input.addEventListener("input", () => { this.wrong(""); form.typed(this); this.grow(); form.focused(this); });
    this.input.addEventListener("focus", () => { if (this.list && !this.chosen()) this.list.look(); });
    this.grow();
  }

  // grow makes the field as wide as its text, within bounds.
  grow() { this.input.size = Math.min(40, Math.max(4, this.input.value.length + 1)); }

  focus() { this.input.focus(); }

  // put fills in a choice: what is shown and what is sent.
  put(label, value) {
    this.input.value = label;
    this.picked = { label, value };
    this.wrong("");
    this.grow();
  }

  // fill fills in a text, as if it had been typed; a choice by that name is taken.
  fill(given) {
    if (this.pick) return;
    this.input.value = given;
    this.grow();
    const c = this.chosen();
    if (c) this.put(c.label, c.value);
  }

  get empty() { return this.pick ? this.pick.files.length === 0 : this.input.value === ""; }

  // chosen is the choice that the field shows, or null.
  chosen() {
    const shown = this.input.value.trim().toLowerCase(), strict = choices(this.o);
    if (this.picked && this.picked.label === this.input.value) return this.picked;
    return strict && shown ? strict.find(c => c.label.toLowerCase() === shown || String(c.value).toLowerCase() === shown || c.label.toLowerCase() === "#" + shown || c.label.toLowerCase() === "@" + shown) || null : null;
  }

  // problem says what is wrong with the value, "" where it may be sent.
  problem() {
    const o = this.o, n = this.pick ? 0 : [...this.input.value].length;
    if (this.pick && this.pick.error) return this.pick.error;
    if (this.empty) return o.required ? `${this.name} is required.` : "";
    if (this.pick || this.chosen()) return "";
    if (choices(o)) return `${this.name}: choose one from the list.`;
    if (o.type === text) {
      if (o.min_length && n < o.min_length) return `${this.name} wants ${o.min_length} characters or more; this has ${n}.`;
      return n > (o.max_length || 6000) ? `${this.name} takes ${o.max_length || 6000} characters; this has ${n}.` : "";
    }
    const value = this.input.value.trim();
    if (!(o.type === whole ? /^[-+]?\d+$/ : /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i).test(value) || (o.min_value !== undefined && Number(value) < o.min_value) || (o.max_value !== undefined && Number(value) > o.max_value)) return `${this.name} wants ${rule(o)}.`;
    return "";
  }

  // value is what is sent; undefined where nothing was filled in.
  async value() { return this.pick ? (await this.pick.read())[0] : this.now(); }

  now() {
    if (this.empty) return undefined;
    const c = this.chosen();
    if (c) return c.value;
    return this.o.type === text ? this.input.value : Number(this.input.value);
  }

  wrong(text) {
    this.node.classList.toggle("wrong", text !== "");
    this.input.toggleAttribute("aria-invalid", text !== "");
  }
}
