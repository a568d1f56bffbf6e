// Reactions under a message, and the small board to pick one from.

import { el } from "./dom.js";
import { world } from "./world.js";

const board = ["👍", "❤️", "😂", "😮", "😢", "🎉", "🔥", "👀", "🙏", "💯", "🤔", "👏", "✨", "🍵", "🌙", "😴", "✅", "❌", "👋", "🥳"];

// emojiOf is how an emoji is named to the server.
export const emojiOf = e => e.id ? e.name + ":" + e.id : e.name;

// reactions are one button for each emoji; pressing it adds or takes back that of the person who speaks.
export function reactions(m, actions) {
  if (!m.reactions || !m.reactions.length) return null;
  return el("discord-reactions", { slot: "reactions" }, ...m.reactions.map(r => {
    const mine = reacted(m, r), name = r.emoji.id ? ":" + r.emoji.name + ":" : r.emoji.name;
    const b = el("discord-reaction", {
      emoji: name, name, count: r.count, reacted: mine, role: "button", tabindex: "0", "aria-pressed": String(mine),
      "aria-label": name + ", " + r.count + (r.count === 1 ? " reaction" : " reactions"),
    });
    const toggle = () => actions.toggle(m, emojiOf(r.emoji), !mine);
    b.addEventListener("click", toggle);
    b.addEventListener("keydown", e => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); toggle(); } });
    return b;
  }));
}

// reacted tells whether the person who speaks is among those who reacted.
export function reacted(m, r) {
  return (m.reactors || []).some(x => emojiOf(x.emoji) === emojiOf(r.emoji) && x.users.includes(world.me.id));
}

// pickEmoji opens the board at an element and calls chosen with what is picked.
export function pickEmoji(anchor, chosen) {
  const box = el("div", { class: "popup board", role: "dialog", "aria-label": "Pick a reaction" });
  const close = () => { box.remove(); removeEventListener("pointerdown", outside, true); back(anchor); };
  const outside = e => { if (!box.contains(e.target)) { box.remove(); removeEventListener("pointerdown", outside, true); } };
  box.append(...board.map(e => el("button", { type: "button", text: e, "aria-label": e, on: { click: () => { close(); chosen(e); } } })));
  box.addEventListener("keydown", e => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 5, ArrowUp: -5 }[e.key];
    if (e.key === "Escape") { e.stopPropagation(); close(); }
    if (step) { e.preventDefault(); e.stopPropagation(); const all = [...box.children]; all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus(); }
  });
  place(box, anchor);
  addEventListener("pointerdown", outside, true);
  box.firstChild.focus();
}

// back gives the focus to a button of a message's bar, which is there only while its message has the focus.
export function back(anchor) {
  const message = anchor.closest("[role=article]");
  if (message) message.focus();
  anchor.focus();
}

// place puts a popup beside an element and within the window.
export function place(box, anchor) {
  document.body.append(box);
  const a = anchor.getBoundingClientRect(), b = box.getBoundingClientRect();
  const left = Math.min(Math.max(8, a.right - b.width), innerWidth - b.width - 8);
  const top = a.top - b.height - 8 > 8 ? a.top - b.height - 8 : Math.min(a.bottom + 8, innerHeight - b.height - 8);
  box.style.left = left + "px";
  box.style.top = Math.max(8, top) + "px";
}
