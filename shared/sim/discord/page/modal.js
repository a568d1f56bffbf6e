// The dialog that an application opens: its fields, and one answer.

import { el } from "./dom.js";
import { markdown } from "./markdown.js";

// fields finds the inputs of a modal, whether in rows (the older form) or under labels (the newer).
function fields(components) {
  const list = [];
  for (const c of components || []) {
    if (c.type === 1) list.push(...fields(c.components));
    else if (c.type === 18 && c.component) list.push({ ...c.component, label: c.label, hint: c.description });
    else list.push(c);
  }
  return list;
}

function input(c) {
  const common = { name: c.custom_id, required: c.required !== false };
  if (c.type === 10) return el("div", { class: "text" }, ...markdown(c.content || ""));
  if (c.type === 3) return el("select", { ...common, multiple: (c.max_values || 1) > 1 }, ...(c.options || []).map(o => el("option", { value: o.value, text: o.label, selected: o.default })));
  if (c.type !== 4) return null;
  const f = el(c.style === 2 ? "textarea" : "input", { ...common, rows: c.style === 2 ? "5" : undefined, placeholder: c.placeholder, minlength: c.min_length, maxlength: c.max_length || 4000, autocomplete: "off" });
  f.value = c.value || "";
  return f;
}

// openModal shows a modal; send gets {custom_id: value} and returns whether it was taken.
export function openModal(modal, send) {
  const from = document.activeElement, box = el("dialog", { class: "box modal", "aria-label": modal.title || "Form" });
  const close = () => { box.close(); box.remove(); if (from && from.isConnected) from.focus(); };
  const made = fields(modal.components).map(c => ({ c, f: input(c) })).filter(x => x.f);
  const form = el("form", {
    on: {
      submit: async e => {
        e.preventDefault();
        const values = {};
        for (const { c, f } of made) if (c.custom_id) values[c.custom_id] = f.multiple ? [...f.selectedOptions].map(o => o.value) : f.value;
        if (await send(values)) close();
      },
    },
  }, el("h2", { text: modal.title || "Form" }),
    ...made.map(({ c, f }) => c.custom_id ? el("label", {}, el("span", {}, c.label || "", c.required === false ? "" : el("i", { text: " *", title: "required" })), c.hint ? el("small", { text: c.hint }) : null, f) : f),
    el("div", { class: "row" }, el("button", { type: "button", class: "plain", text: "Cancel", on: { click: close } }), el("button", { type: "submit", class: "primary", text: "Submit" })));
  box.append(form);
  box.addEventListener("cancel", e => { e.preventDefault(); close(); });
  document.body.append(box);
  box.showModal();
}
