// The card at the top of a channel in which nothing has been said: what this place is, and something to try.

import { el } from "./dom.js";
import { markdown } from "./markdown.js";
import { commands, meant } from "./command.js";
import { ours, world } from "./world.js";

export function welcomeFor(room) {
  const list = (world.state && world.state.welcome) || [];
  return list.find(w => room && (w.channel === room.id || w.channel === room.name || (room.dm && w.channel === "dm"))) || null;
}

// proposal is a button with something to try. A command is offered where there is one, and not before that is known.
export function proposal(text, act) {
  const slash = text.startsWith("/"), b = el("button", { type: "button", class: "try" + (slash ? " slash" : ""), text, hidden: slash, on: { click: () => act(text) } });
  if (slash) offer(b);
  return b;
}

const offer = async b => { b.hidden = !meant(await commands(1), b.textContent); };

// offerAgain looks once more which of the proposed commands there are.
export function offerAgain() { for (const b of document.querySelectorAll(".try.slash")) offer(b); }

// welcome is the card of a room: the one that was written for it, or a plain one.
export function welcome(room, actions, { brief = false } = {}) {
  if (!room) return null;
  const w = welcomeFor(room) || { title: room.dm ? "Only you and " + room.name : "Welcome to #" + room.name, text: "Nothing has been said here yet.", try: [] };
  return el("section", { class: "welcome" + (brief ? " brief" : ""), "aria-label": "About this channel", "data-room": room.id },
    w.image && ours(w.image) ? el("img", { src: w.image, alt: "" }) : null,
    el("h2", { text: w.title }),
    el("div", { class: "text" }, ...markdown(w.text || "")),
    w.try && w.try.length ? el("div", { class: "tries" }, ...w.try.map(text => proposal(text, actions.propose))) : null);
}
