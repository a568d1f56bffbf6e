// What a message carries besides its text: files, stickers, embeds, buttons and select menus.

import { el, icon } from "./dom.js";
import { anchor, markdown } from "./markdown.js";
import { link, ours, world } from "./world.js";

// picture shows an image of this server; one from elsewhere is not fetched but named.
function picture(url, alt, props = {}) {
  if (ours(url)) return el("a", { href: url, target: "_blank", rel: "noopener", class: "picture" }, el("img", { src: url, alt, loading: "lazy", ...props }));
  return link(url) ? el("small", { class: "away" }, "Picture: ", anchor(url, url)) : null;
}

const size = n => n >= 1048576 ? (n / 1048576).toFixed(1) + " MB" : n >= 1024 ? (n / 1024).toFixed(1) + " KB" : n + " B";

// attachments are shown inline where they are pictures, as cards otherwise.
export function attachments(m) {
  const list = [];
  for (const a of m.attachments || []) {
    const image = /^image\//.test(a.content_type || "") || /\.(png|jpe?g|gif|webp|svg)$/i.test(a.filename);
    if (image && ours(a.url)) list.push(picture(a.url, a.description || a.filename));
    else {
      const name = ours(a.url) || link(a.url) ? el("a", { href: a.url, target: "_blank", rel: "noopener noreferrer", text: a.filename }) : el("span", { text: a.filename });
      list.push(el("div", { class: "file" }, icon("file"), el("div", {}, name, el("small", { text: size(a.size) }))));
    }
  }
  for (const s of m.sticker_items || []) list.push(el("div", { class: "sticker", text: s.name, title: "Sticker" }));
  return list.length ? el("div", { slot: "attachments", class: "files" }, ...list) : null;
}

// embeds use the component for the frame; their texts are ours, so that no word of them can become an address to fetch.
export function embeds(m) {
  return m.flags & 4 ? [] : (m.embeds || []).map(e => embed(e));
}

function embed(e) {
  const box = el("discord-embed", {
    slot: "embeds", color: Number.isInteger(e.color) ? "#" + e.color.toString(16).padStart(6, "0") : undefined,
    thumbnail: e.thumbnail && ours(e.thumbnail.url) ? e.thumbnail.url : undefined, image: e.image && ours(e.image.url) ? e.image.url : undefined,
  });
  const named = (x, name, tag) => x && el(tag, { class: name }, link(x.url || "") ? anchor(x.url, x.name) : x.name);
  const body = el("discord-embed-description", { slot: "description" },
    named(e.author && { url: e.author.url, name: e.author.name }, "embed-author", "div"),
    e.title && named({ url: e.url, name: e.title }, "embed-title", "div"),
    e.description && el("div", { class: "text" }, ...markdown(e.description)));
  if (e.fields && e.fields.length) {
    body.append(el("div", { class: "fields" }, ...e.fields.map(f => el("div", { class: f.inline ? "inlined" : "" },
      el("b", { text: f.name }), el("div", { class: "text" }, ...markdown(f.value || ""))))));
  }
  for (const p of [e.image, e.thumbnail]) if (p && !ours(p.url)) body.append(picture(p.url, "") || "");
  box.append(body);
  const foot = [e.footer && e.footer.text, e.timestamp && new Date(e.timestamp).toLocaleString()].filter(Boolean).join(" • ");
  if (foot) box.append(el("discord-embed-footer", { slot: "footer", text: foot }));
  return box;
}

// controls are the rows of buttons and menus of a message, and the texts and boxes that newer messages are built from.
export function controls(m, actions) {
  return (m.components || []).map(c => part(c, m, actions)).filter(Boolean).map(e => { e.slot = "components"; return e; });
}

function part(c, m, actions) {
  switch (c.type) {
    case 1: return el("discord-action-row", {}, ...c.components.map(x => part(x, m, actions)).filter(Boolean));
    case 2: return button(c, m, actions);
    case 3: case 5: case 6: case 7: case 8: return menu(c, m, actions);
    case 9: return el("div", { class: "section" }, ...(c.components || []).map(x => part(x, m, actions)).filter(Boolean),
      c.accessory && c.accessory.type === 2 ? el("discord-action-row", {}, part(c.accessory, m, actions)) : null);
    case 10: return el("div", { class: "text" }, ...markdown(c.content || ""));
    case 12: return el("div", { class: "files" }, ...(c.items || []).map(i => picture(i.media && i.media.url, i.description || "")).filter(Boolean));
    case 14: return el("hr", {});
    case 17: return el("div", { class: "container" }, ...(c.components || []).map(x => part(x, m, actions)).filter(Boolean));
    default: return null;
  }
}

function button(c, m, actions) {
  const style = { 1: "primary", 2: "secondary", 3: "success", 4: "destructive" }[c.style] || "secondary";
  const url = c.style === 5 ? link(c.url || "") : "";
  const b = el("discord-button", { type: style, url: url || undefined, disabled: c.disabled, inert: c.disabled, "data-custom": c.custom_id },
    (c.emoji && c.emoji.name && !c.emoji.id ? c.emoji.name + " " : "") + (c.label || ""));
  if (c.custom_id && !c.disabled) b.addEventListener("click", () => actions.interact({ kind: "component", message: m.id, custom_id: c.custom_id }, b));
  return b;
}

// choices are what a menu offers: its own options, or people, roles and channels.
function choices(c) {
  const s = world.state, people = [...s.users, s.bot, ...s.bots], pick = list => list.map(x => ({ label: x.name, value: x.id }));
  return { 3: () => c.options || [], 5: () => pick(people), 6: () => pick(s.roles), 7: () => pick([...people, ...s.roles]), 8: () => pick(s.channels) }[c.type]();
}

// menu is the browser's own select where one value is wanted, and a list of boxes to tick where several may be.
function menu(c, m, actions) {
  const options = choices(c), least = c.min_values ?? 1, most = c.max_values ?? 1, label = c.placeholder || "Make a selection";
  const send = (values, from) => actions.interact({ kind: "component", message: m.id, custom_id: c.custom_id, values }, from);
  if (most <= 1) {
    const s = el("select", { class: "menu", "aria-label": label, disabled: c.disabled, "data-custom": c.custom_id },
      el("option", { value: "", text: label, hidden: least > 0 }),
      ...options.map(o => el("option", { value: o.value, text: o.label + (o.description ? " (" + o.description + ")" : ""), selected: o.default })));
    if (!options.some(o => o.default)) s.selectedIndex = 0;
    s.addEventListener("change", () => send(s.value ? [s.value] : [], s));
    return s;
  }
  const boxes = options.map(o => el("label", {}, el("input", { type: "checkbox", value: o.value, checked: o.default }), o.label,
    o.description ? el("small", { text: o.description }) : null));
  const chosen = () => boxes.map(b => b.firstChild).filter(b => b.checked).map(b => b.value);
  const done = el("button", { type: "button", class: "primary", text: "Choose" });
  const judge = () => { const n = chosen().length; done.disabled = c.disabled || n < least || n > most; };
  for (const b of boxes) b.addEventListener("change", judge);
  judge();
  const box = el("details", { class: "menu many", "data-custom": c.custom_id }, el("summary", { text: label }), el("div", { class: "options" }, ...boxes, done));
  done.addEventListener("click", () => { box.open = false; send(chosen(), box); });
  return box;
}
