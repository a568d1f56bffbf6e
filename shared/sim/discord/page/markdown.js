// Discord's markdown as elements. Input is hostile: it becomes text nodes and a fixed set of elements, and addresses are followed
// only where they are http or https. Nothing is nested deeper than a few levels, and nothing is searched twice over.

import { el } from "./dom.js";
import { link, nameOf, roleName, roomName } from "./world.js";

const deepest = 8;

// markdown returns the elements of a message's text.
export function markdown(text) {
  text = calm(text);
  const out = [];
  let rest = 0;
  for (const m of text.matchAll(/```(?:([\w+#.-]{1,20})\n)?([\s\S]+?)```/g)) {
    const before = text.slice(rest, m.index).replace(/\n$/, "");
    if (before) out.push(...blocks(before));
    out.push(fence(m[1], m[2]));
    rest = m.index + m[0].length;
    if (text[rest] === "\n") rest++;
  }
  if (rest < text.length) out.push(...blocks(text.slice(rest)));
  return out;
}

// calm leaves out combining marks that would pile up over the lines above.
const calm = text => text.replace(/(\p{M}{6})\p{M}+/gu, "$1");

function fence(language, code) {
  return el("pre", { dir: "ltr", tabindex: "0", "data-language": language },
    el("code", { text: code.replace(/^\n/, "").replace(/\n$/, "") }));
}

// blocks reads the lines outside of fences.
function blocks(text, depth = 0) {
  const out = [], lines = text.split("\n");
  let plain = [];
  const flush = () => { if (plain.length) out.push(...inline(plain.join("\n"), depth)); plain = []; };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    let m;
    if (depth === 0 && line.startsWith(">>> ")) {
      flush();
      out.push(el("blockquote", {}, ...blocks([line.slice(4), ...lines.slice(i + 1)].join("\n"), 1)));
      break;
    } else if (depth === 0 && /^> /.test(line)) {
      flush();
      const quoted = [];
      for (; i < lines.length && /^> |^>$/.test(lines[i]); i++) quoted.push(lines[i].slice(2));
      i--;
      out.push(el("blockquote", {}, ...blocks(quoted.join("\n"), 1)));
    } else if ((m = /^(#{1,3}) +(\S.*)$/.exec(line))) {
      flush();
      out.push(el("div", { class: "h" + m[1].length, role: "heading", "aria-level": String(m[1].length + 3) }, ...inline(m[2], depth)));
    } else if ((m = /^-# +(\S.*)$/.exec(line))) {
      flush();
      out.push(el("small", {}, ...inline(m[1], depth)));
    } else if (item(line)) {
      flush();
      const items = [];
      for (; i < lines.length && item(lines[i]); i++) items.push(item(lines[i]));
      i--;
      out.push(list(items, depth));
    } else plain.push(line);
  }
  flush();
  return out;
}

function item(line) {
  const m = /^( {0,8})(?:([-*])|(\d{1,9})\.) +(\S.*)$/.exec(line);
  return m && { indent: m[1].length, ordered: !m[2], start: m[3], text: m[4] };
}

// list nests by indentation: what is indented further belongs to the item above.
function list(items, depth) {
  const first = items[0], box = el(first.ordered ? "ol" : "ul", { start: first.ordered ? first.start : undefined });
  for (let i = 0; i < items.length; i++) {
    const entry = el("li", {}, ...inline(items[i].text, depth));
    let end = i + 1;
    while (end < items.length && items[end].indent > items[i].indent) end++;
    if (end > i + 1) entry.append(depth < deepest ? list(items.slice(i + 1, end), depth + 1) : items.slice(i + 1, end).map(x => x.text).join("\n"));
    i = end - 1;
    box.append(entry);
  }
  return box;
}

const spans = [["***", "strong", "em"], ["**", "strong"], ["__", "u"], ["~~", "s"], ["||", "spoiler"], ["*", "em"], ["_", "em"]];
const word = /[\p{L}\p{N}_]/u;

// inline reads marks within text.
function inline(text, depth) {
  const out = [];
  let plain = "";
  const add = node => { if (plain) out.push(plain); plain = ""; out.push(node); };
  for (let i = 0; i < text.length;) {
    const hit = depth < deepest ? mark(text, i, depth) : null;
    if (hit) {
      if (typeof hit.node === "string") plain += hit.node; else add(hit.node);
      i += hit.length;
    } else plain += text[i++];
  }
  if (plain) out.push(plain);
  return out;
}

// mark reads one mark that begins at i: {node, length}, or null.
function mark(text, i, depth) {
  const c = text[i];
  if (c === "\\" && /[\\`*_~|<>#[\]()@:.-]/.test(text[i + 1] || "")) return { node: text[i + 1], length: 2 };
  if (c === "`") return code(text, i);
  if (c === "<") return angle(text, i);
  if (c === "[") return masked(text, i, depth);
  if (c === "h" && (i === 0 || !word.test(text[i - 1]))) return address(text, i);
  if (c === "@") {
    const m = /^@(everyone|here)(?![\p{L}\p{N}_])/u.exec(text.slice(i, i + 10));
    return m && { node: mention(null, m[0]), length: m[0].length };
  }
  if (!"*_~|".includes(c)) return null;
  for (const [sign, ...tags] of spans) if (text.startsWith(sign, i)) {
    const hit = span(text, i, sign, tags, depth);
    if (hit) return hit;
  }
  return null;
}

function span(text, i, sign, tags, depth) {
  const from = i + sign.length;
  if (sign === "_" && i > 0 && word.test(text[i - 1])) return null;
  if (sign.length === 1 && (!text[from] || /\s/.test(text[from]))) return null;
  for (let end = text.indexOf(sign, from + 1); end > 0; end = text.indexOf(sign, end + 1)) {
    if (text[end - 1] === "\\") continue;
    if (sign.length === 1 && (/\s/.test(text[end - 1]) || text[end + 1] === sign || text[end - 1] === sign)) continue;
    if (sign === "_" && word.test(text[end + 1] || "")) continue;
    while (sign.length === 2 && sign[0] !== "|" && text[end + 2] === sign[0]) end++;
    let nodes = inline(text.slice(from, end), depth + 1);
    for (const tag of [...tags].reverse()) nodes = [tag === "spoiler" ? spoiler(nodes) : el(tag, {}, ...nodes)];
    return { node: nodes[0], length: end + sign.length - i };
  }
  return null;
}

// spoiler hides its text from everybody, screen readers too, until it is opened.
function spoiler(nodes) {
  const inner = el("span", { "aria-hidden": "true" }, ...nodes);
  const box = el("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler, press to show" }, inner);
  const open = e => {
    if (e.type === "keydown" && e.key !== "Enter" && e.key !== " ") return;
    if (box.classList.contains("open")) return;
    e.preventDefault();
    box.classList.add("open");
    for (const name of ["role", "tabindex", "aria-label"]) box.removeAttribute(name);
    inner.removeAttribute("aria-hidden");
  };
  box.addEventListener("click", open);
  box.addEventListener("keydown", open);
  return box;
}

function code(text, i) {
  const sign = text.startsWith("``", i) ? "``" : "`", end = text.indexOf(sign, i + sign.length);
  if (end <= i + sign.length - 1 || end === i + sign.length) return null;
  const inside = text.slice(i + sign.length, end);
  return { node: el("code", { text: sign === "``" ? inside.trim() : inside, dir: "ltr" }), length: end + sign.length - i };
}

// angle reads mentions, times, emoji and addresses in angle brackets.
function angle(text, i) {
  const near = text.slice(i, i + 2000);
  let m = /^<(@[!&]?|#)(\d{1,20})>/.exec(near);
  if (m) return { node: m[1] === "#" ? mention("channel", roomName(m[2]), m[2]) : m[1] === "@&" ? mention("role", roleName(m[2])) : mention("user", nameOf(m[2]), m[2]), length: m[0].length };
  if ((m = /^<\/([\w -]{1,100}):\d{1,20}>/.exec(near))) return { node: mention("slash", m[1]), length: m[0].length };
  if ((m = /^<t:(-?\d{1,13})(?::([tTdDfFR]))?>/.exec(near))) return { node: moment(Number(m[1]), m[2] || "f"), length: m[0].length };
  if ((m = /^<a?:(\w{2,32}):\d{1,20}>/.exec(near))) return { node: el("span", { class: "emoji", title: ":" + m[1] + ":", text: ":" + m[1] + ":" }), length: m[0].length };
  if ((m = /^<(https?:\/\/[^\s<>]+)>/.exec(near)) && link(m[1])) return { node: anchor(m[1], m[1]), length: m[0].length };
  return null;
}

function mention(type, name, id) {
  return el("discord-mention", { type: type || undefined, text: name, "data-id": id, class: "mention" });
}

function moment(seconds, style) {
  const d = new Date(seconds * 1000);
  if (isNaN(d)) return String(seconds);
  const forms = { t: { timeStyle: "short" }, T: { timeStyle: "medium" }, d: { dateStyle: "short" }, D: { dateStyle: "long" },
    f: { dateStyle: "long", timeStyle: "short" }, F: { dateStyle: "full", timeStyle: "short" } };
  const shown = style === "R" ? relative(d) : new Intl.DateTimeFormat([], forms[style]).format(d);
  return el("time", { class: "moment", datetime: d.toISOString(), title: d.toLocaleString(), text: shown });
}

function relative(d) {
  const s = (d - Date.now()) / 1000, form = new Intl.RelativeTimeFormat([], { numeric: "auto" });
  for (const [unit, size] of [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60]]) {
    if (Math.abs(s) >= size) return form.format(Math.round(s / size), unit);
  }
  return form.format(Math.round(s), "second");
}

// masked is [text](address). The address is shown too: what a link says and where it goes are two things.
function masked(text, i, depth) {
  const m = /^\[([^\][\n]{1,300})\]\(<?(https?:\/\/[^\s<>()]{1,1500})>?\)/.exec(text.slice(i, i + 2000));
  if (!m || !link(m[2])) return null;
  const box = el("span", {}, ...inline(m[1].replace(/https?:\/\//g, ""), depth + 1));
  box.append(" (", anchor(m[2], m[2]), ")");
  return { node: box, length: m[0].length };
}

function address(text, i) {
  const m = /^https?:\/\/[^\s<>]+/.exec(text.slice(i, i + 2000));
  if (!m) return null;
  let href = m[0].replace(/[.,:;!?'"*_~|]+$/, "");
  if (href.endsWith(")") && !href.includes("(")) href = href.slice(0, -1);
  return link(href) ? { node: anchor(href, href), length: href.length } : null;
}

export function anchor(href, text) {
  return el("a", { href, target: "_blank", rel: "noopener noreferrer nofollow", text });
}

// plain is a text in one short line, for previews and for being read aloud.
export function plain(text, most = 140) {
  const flat = calm(text).replace(/```[\w+#.-]*\n?/g, "").replace(/<@!?(\d+)>/g, (_, id) => "@" + nameOf(id))
    .replace(/<@&(\d+)>/g, (_, id) => "@" + roleName(id)).replace(/<#(\d+)>/g, (_, id) => "#" + roomName(id))
    .replace(/\|\|[\s\S]*?\|\|/g, "▮▮▮").replace(/^(>>> |> |#{1,3} |-# | *[-*] )/gm, "").replace(/\*\*|__|~~|`/g, "").replace(/([*_])(\S(?:[^*_\n]*\S)?)\1/g, "$2").replace(/\s+/g, " ").trim();
  const letters = [...flat.slice(0, most * 4)];
  return letters.length > most ? letters.slice(0, most).join("") + "…" : flat;
}
