// What a message carries besides its text: files, stickers, embeds, buttons and select menus.

import { el, icon } from "./dom.js";
import { anchor, markdown } from "./markdown.js";
import { entities } from "./entity.js";
import { size } from "./file.js";
import { Picker } from "./picker.js";
import { link, ours } from "./world.js";

// picture shows an image of this server; one from elsewhere is not fetched but named.
function picture(url, alt, props = {}) {
  if (ours(url)) return el("a", { href: url, target: "_blank", rel: "noopener", class: "picture" }, el("img", { src: url, alt, loading: "lazy", ...props }));
  return link(url) ? el("small", { class: "away" }, "Picture: ", anchor(url, url)) : null;
}

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
  const inner = list => (list || []).map(x => part(x, m, actions)).filter(Boolean);
  switch (c.type) {
    case 1: return el("div", { class: "buttons" }, ...inner(c.components));
    case 2: return button(c, m, actions);
    case 3: case 5: case 6: case 7: case 8: return menu(c, m, actions);
    case 9: return el("div", { class: "section" }, el("div", {}, ...inner(c.components)), c.accessory ? part(c.accessory, m, actions) : null);
    case 10: return el("div", { class: "text" }, ...markdown(c.content || ""));
    case 11: return c.media && ours(c.media.url) ? el("img", { class: "thumbnail", src: c.media.url, alt: c.description || "" }) : null;
    case 12: return el("div", { class: "files" }, ...(c.items || []).map(i => picture(i.media && i.media.url, i.description || "")).filter(Boolean));
    case 13: return file(c, m);
    case 14: return el("hr", { class: (c.spacing === 2 ? "wide" : "") + (c.divider === false ? " plain" : "") });
    case 17: return container(c, inner(c.components));
    default: return null;
  }
}

// file shows an attachment of the message in its place.
function file(c, m) {
  const name = ((c.file && c.file.url) || "").replace(/^attachment:\/\//, ""), a = (m.attachments || []).find(x => x.filename === name || x.url === name);
  return a ? el("div", { class: "file" }, icon("file"), el("div", {}, ours(a.url) ? el("a", { href: a.url, target: "_blank", rel: "noopener noreferrer", text: a.filename }) : a.filename, el("small", { text: size(a.size) }))) : null;
}

function container(c, inner) {
  const box = el("div", { class: "container" }, ...inner);
  if (Number.isInteger(c.accent_color)) box.style.borderLeftColor = "#" + c.accent_color.toString(16).padStart(6, "0");
  return box;
}

const emojiOf = e => !e || !e.name ? "" : e.id ? ":" + e.name + ":" : e.name;

function button(c, m, actions) {
  const style = { 1: "primary", 2: "secondary", 3: "success", 4: "destructive", 5: "secondary", 6: "primary" }[c.style] || "secondary", emoji = emojiOf(c.emoji);
  const face = [emoji ? el("span", { class: "emoji", text: emoji }) : null, c.label ? el("span", { text: c.label }) : null];
  const url = c.style === 5 && !c.disabled ? link(c.url || "") : "";
  if (url) return el("a", { class: "press " + style, href: url, target: "_blank", rel: "noopener noreferrer", title: url }, ...face, icon("window"));
  const b = el("button", { type: "button", class: "press " + style, disabled: c.disabled || c.style >= 5, "aria-label": c.label ? undefined : emoji, "data-custom": c.custom_id }, ...face, el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i")));
  if (c.custom_id) b.addEventListener("click", () => actions.interact(m, { custom_id: c.custom_id }));
  return b;
}

// offered are what a menu offers: its own options, or people, roles and channels.
export function offered(c) {
  if (c.type === 3) return (c.options || []).map(o => ({ ...o, emoji: emojiOf(o.emoji) }));
  return entities({ 5: "user", 6: "role", 7: "mentionable", 8: "channel" }[c.type], c.channel_types);
}

// picker is a menu, in a message or in a form.
export function picker(c, more) {
  const chosen = c.type === 3 ? (c.options || []).filter(o => o.default).map(o => o.value) : (c.default_values || []).map(d => d.id);
  return new Picker({
    placeholder: c.placeholder || "Make a selection", least: c.min_values ?? 1, most: c.max_values ?? 1, options: () => offered(c), searched: c.type !== 3, chosen, disabled: c.disabled, custom: c.custom_id, ...more,
  });
}

function menu(c, m, actions) {
  return picker(c, { label: c.placeholder, done: values => actions.interact(m, { custom_id: c.custom_id, values }) }).node;
}
