// The dialog that an application opens: its fields, and one answer. What was typed is there while the dialog is, and nowhere after.

import { el, icon } from "./dom.js";
import { markdown } from "./markdown.js";
import { FilePick } from "./file.js";
import { picker } from "./parts.js";
import { pictureOf, portrait, world } from "./world.js";

// fields finds the inputs of a modal, whether in rows (the older form) or under labels (the newer).
function fields(components) {
  const list = [];
  for (const c of components || []) {
    if (c.type === 1) list.push(...fields(c.components));
    else if (c.type === 18 && c.component) list.push({ ...c.component, label: c.label, about: c.description });
    else list.push(c);
  }
  return list;
}

const needed = c => c.required !== false;
const count = n => n === 1 ? "1 character" : n + " characters";

// text is a line or a paragraph to type, with what is left of its length.
function text(c, id) {
  const most = c.max_length || 4000, least = c.min_length || 0;
  const input = el(c.style === 2 ? "textarea" : "input", {
    id, name: c.custom_id, type: c.style === 2 ? undefined : "text", rows: c.style === 2 ? "4" : undefined, placeholder: c.placeholder, autocomplete: "off", autocapitalize: "off", "aria-required": String(needed(c)),
  });
  input.value = c.value || "";
  const told = el("span", { class: "count" }), length = () => [...input.value].length;
  const tell = () => { told.textContent = c.max_length || length() > most - 400 ? length() + "/" + most : ""; told.classList.toggle("over", length() > most); };
  input.addEventListener("input", tell);
  tell();
  return {
    node: el("div", { class: "typed" }, input, told), input, clear: () => { input.value = ""; },
    problem: () => length() === 0 ? (needed(c) ? "This field is required." : "") : length() < least ? `Must be ${count(least)} or more.` : length() > most ? `Must be ${count(most)} or fewer.` : "",
    value: async () => input.value,
  };
}

function choice(c, id) {
  const p = picker({ ...c, min_values: needed(c) ? c.min_values : 0 }, { label: c.label, custom: undefined });
  p.button.id = id;
  return { node: p.node, input: p.button, value: async () => p.chosen, problem: () => needed(c) && p.chosen.length < (c.min_values ?? 1) ? "Choose something." : "", on: f => { p.done = f; } };
}

function upload(c, id) {
  const p = new FilePick({ label: c.label || "File", several: c.max_values ?? 1 });
  p.button.id = id;
  const least = c.min_values ?? 1;
  return {
    node: p.node, input: p.button, clear: () => p.clear(), value: () => p.read(), on: f => { p.changed = f; },
    problem: () => p.error || (p.files.length < least && (needed(c) || p.files.length) ? (least === 1 ? "A file is required." : `${least} files are required.`) : ""),
  };
}

// boxes are a group of radio buttons or of boxes to tick, or a single box.
function boxes(c, id) {
  const one = c.type === 21, list = c.type === 23 ? [{ label: c.label, value: "yes", default: c.default }] : c.options;
  const ticks = list.map((o, i) => el("input", { type: one ? "radio" : "checkbox", name: c.custom_id, value: o.value, checked: o.default, id: i ? undefined : id }));
  const node = el("div", { class: "boxes", role: c.type === 23 ? undefined : one ? "radiogroup" : "group", "aria-label": c.label },
    ...list.map((o, i) => el("label", { class: "tickable" }, ticks[i], el("span", {}, el("span", { text: o.label }), o.description ? el("small", { text: o.description }) : null))));
  const chosen = () => ticks.filter(t => t.checked).map(t => t.value), least = c.min_values ?? 1, most = c.max_values ?? list.length;
  return {
    node, input: ticks[0],
    value: async () => c.type === 23 ? ticks[0].checked : one ? chosen()[0] ?? null : chosen(),
    problem: () => {
      const n = chosen().length;
      if (c.type === 23 || n === 0 && !needed(c)) return "";
      return one ? (n ? "" : "Choose one.") : n < least ? `Tick ${least} or more.` : n > most ? `Tick ${most} at most.` : "";
    },
  };
}

function control(c, id) {
  if (c.type === 4) return text(c, id);
  if (c.type === 19) return upload(c, id);
  if (c.type >= 21) return boxes(c, id);
  return choice(c, id);
}

// openModal shows a modal; send gets {custom_id: value} and returns "" where it was taken, or why not.
export function openModal(modal, send) {
  const from = document.activeElement, bot = world.state.bot, made = [];
  const box = el("dialog", { class: "box modal", "aria-labelledby": "modal-title" });
  const close = () => {
    for (const f of made) if (f.control.clear) f.control.clear();
    box.close();
    box.remove();
    if (from && from.isConnected) from.focus();
  };
  const field = (c, i) => {
    if (c.type === 10) return el("div", { class: "text" }, ...markdown(c.content || ""));
    const id = "field-" + i, x = control(c, id), wrong = el("small", { class: "error", id: id + "-wrong", role: "alert" }), alone = c.type === 23;
    const about = c.about ? el("small", { class: "soft", id: id + "-about", text: c.about }) : null;
    const node = el("div", { class: "entry" }, alone ? null : el("label", { for: id, class: "over" }, c.label || "", needed(c) ? el("i", { text: " *", title: "required" }) : null), about, x.node, wrong);
    const say = problem => { wrong.textContent = problem; node.classList.toggle("wrong", problem !== ""); x.input.toggleAttribute("aria-invalid", problem !== ""); };
    x.input.setAttribute("aria-describedby", [about && about.id, wrong.id].filter(Boolean).join(" "));
    node.addEventListener("input", () => say(""));
    if (x.on) x.on(() => say(""));
    made.push({ c, control: x, say });
    return node;
  };
  const failed = el("p", { class: "error", role: "alert", hidden: true }), ready = el("button", { type: "submit", class: "primary press", text: "Submit" });
  const submit = async () => {
    const wrong = made.map(f => { const problem = f.control.problem(); f.say(problem); return problem ? f : null; }).find(Boolean);
    if (wrong) { wrong.control.input.focus(); return; }
    if (ready.getAttribute("aria-disabled")) return;
    failed.hidden = true;
    ready.setAttribute("aria-disabled", "true");
    ready.textContent = "Submitting…";
    let why = "";
    try {
      const values = {};
      for (const f of made) values[f.c.custom_id] = await f.control.value();
      why = await send(values);
    } catch (e) { why = e.message; }
    if (!why) { close(); return; }
    ready.removeAttribute("aria-disabled");
    ready.textContent = "Submit";
    failed.replaceChildren("Something went wrong. Try again.", el("small", { text: why.replace(/^the application did not respond: /, "") }));
    failed.hidden = false;
  };
  box.append(el("form", { novalidate: true, on: { submit: e => { e.preventDefault(); submit(); } } },
    el("header", {}, el("img", { src: portrait({ name: bot.name, avatar: pictureOf(bot) }), alt: "" }), el("h2", { id: "modal-title", text: modal.title || "Form" }),
      el("button", { type: "button", class: "iconic close", "aria-label": "Close", on: { click: close } }, icon("close"))),
    el("div", { class: "entries" }, ...fields(modal.components).map(field), el("p", { class: "quiet", text: `This form will be submitted to ${bot.name}.` })),
    el("footer", {}, failed, el("div", { class: "row" }, el("button", { type: "button", class: "plain", text: "Cancel", on: { click: close } }), ready))));
  box.addEventListener("cancel", e => { e.preventDefault(); if (e.target === box) close(); });
  document.body.append(box);
  box.showModal();
  const first = made.find(f => f.c.type === 4) || made[0];
  if (first) first.control.input.focus();
}
