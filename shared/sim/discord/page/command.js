// Commands of applications: which there are, and the form that asks for a slash command's options.

import { ask } from "./net.js";
import { el, iconButton, later } from "./dom.js";
import { world } from "./world.js";
import { Completion } from "./complete.js";

let known = { channel: null, list: [] };

// commands are those of the open channel: of kind 1 by a slash, 2 on a user, 3 on a message. Without any there is an empty list.
export async function commands(kind) {
  if (known.channel !== world.channel.id) {
    let list = [];
    try { list = await ask("GET", "/commands?" + new URLSearchParams({ channel: world.channel.id, user: world.me.id })); } catch { /* none */ }
    known = { channel: world.channel.id, list: flatten(list || []) };
  }
  return known.list.filter(c => (c.type || 1) === kind);
}

// forget makes the next look ask again.
export function forget() { known.channel = null; }

// flatten gives each subcommand a line of its own, as Discord's list does: "persona add".
function flatten(list) {
  const out = [];
  for (const c of list) {
    const subs = (c.options || []).filter(o => o.type === 1 || o.type === 2);
    if (!subs.length) out.push(c);
    for (const s of subs) {
      if (s.type === 1) out.push({ ...c, name: c.name + " " + s.name, description: s.description, options: s.options });
      else for (const t of s.options || []) out.push({ ...c, name: [c.name, s.name, t.name].join(" "), description: t.description, options: t.options });
    }
  }
  return out;
}

export class CommandForm {
  // done is {send(options), cancel()}.
  constructor(command, done) {
    this.command = command;
    this.fields = (command.options || []).map(o => this.field(o));
    this.node = el("form", {
      class: "command", "aria-label": "Command " + command.name, on: {
        submit: e => { e.preventDefault(); if (this.node.reportValidity()) done.send(this.options()); },
        keydown: e => { if (e.key === "Escape" && !e.defaultPrevented) { e.stopPropagation(); done.cancel(); } },
      },
    }, el("b", { class: "slash", text: "/" + command.name }), ...this.fields.map(f => f.node),
      el("button", { type: "submit", class: "primary", text: "Send" }), iconButton("close", "Cancel", done.cancel));
  }

  focus() { (this.node.querySelector("input, select") || this.node.querySelector("button")).focus(); }

  field(o) {
    const s = world.state, people = [...s.users, s.bot, ...s.bots], pick = list => list.map(x => ({ name: x.name, value: x.id }));
    const list = o.choices && o.choices.length ? o.choices : { 5: [{ name: "true", value: "true" }, { name: "false", value: "false" }], 6: pick(people), 7: pick(s.channels), 8: pick(s.roles), 9: pick([...people, ...s.roles]) }[o.type];
    const common = { name: o.name, required: o.required, title: o.description, "aria-label": o.name + ": " + (o.description || "") };
    let input;
    if (list) input = el("select", common, el("option", { value: "", text: o.required ? "choose" : "none" }), ...list.map(c => el("option", { value: String(c.value), text: c.name })));
    else if (o.type === 4 || o.type === 10) input = el("input", { ...common, type: "number", step: o.type === 4 ? "1" : "any", min: o.min_value, max: o.max_value });
    else input = el("input", { ...common, type: "text", id: "option-" + o.name, minlength: o.min_length, maxlength: o.max_length || 6000, autocomplete: "off", placeholder: o.description });
    const node = el("label", { class: "option" }, el("span", { text: o.name + (o.required ? "" : "?") }), el("span", { class: "hold" }, input));
    if (o.autocomplete && !list) this.completing(o, input);
    return { o, input, node };
  }

  // completing asks the application while the person types.
  completing(o, input) {
    input.removeAttribute("minlength");
    const find = async () => {
      const answer = await ask("POST", "/interactions", { kind: "autocomplete", user: world.me.id, channel: world.channel.id, command: this.command.name, options: this.options(o.name), focused: o.name });
      return (answer.choices || []).map(c => ({ label: c.name, act: () => { input.value = c.name; input.dataset.value = String(c.value); input.dataset.name = c.name; } }));
    };
    const list = new Completion(input, [{ pattern: /^([\s\S]*)$/, find: () => find().catch(() => []) }]);
    list.look = later(200, Completion.prototype.look.bind(list));
    input.addEventListener("focus", () => list.look());
    input.addEventListener("keydown", e => list.key(e));
  }

    // options are the values by name; the one that is being completed is among them even where it is empty.
  options(focused) {
    const values = {};
    for (const { o, input } of this.fields) {
      const value = input.dataset.name === input.value && input.dataset.value !== undefined ? input.dataset.value : input.value;
      if (value === "" && o.name !== focused) continue;
      values[o.name] = o.name === focused ? value : o.type === 4 || o.type === 10 ? Number(value) : o.type === 5 ? value === "true" : value;
    }
    return values;
  }
}
