// What a channel proposes and nobody has said yet, as a row over the message box: some of it is of use only once a talk is under way.

import { $, el, iconButton } from "./dom.js";
import { proposal, welcomeFor } from "./welcome.js";

const many = 30;           // messages after which a channel needs no proposals
const closed = new Set();  // channels of which the row was closed, for as long as the page is open
let row = null;

// clear takes the row away.
export function clear() {
  if (row) row.remove();
  row = null;
}

// draw shows the row for a channel by the messages in it. While there are none the welcome card proposes the same.
export function draw(channel, views, actions) {
  const all = (welcomeFor(channel) || {}).try || [];
  const said = new Set(views.map(v => v.message.interaction ? "/" + v.message.interaction.name : v.face.app ? "" : v.message.content.trim()));
  const left = views.length === 0 || views.length > many || closed.has(channel.id) ? [] : all.filter(text => !said.has(text));
  if (row && row.dataset.left === JSON.stringify([channel.id, left])) return;
  clear();
  if (!left.length) return;
  row = el("div", { id: "chips", role: "group", "aria-label": "Things to try", data: { left: JSON.stringify([channel.id, left]) } },
    el("span", { class: "quiet", text: "Try" }), el("div", { class: "chips" }, ...left.map(text => proposal(text, actions.propose))),
    iconButton("close", "Close the proposals", () => { closed.add(channel.id); clear(); actions.done(); }));
  $("foot").prepend(row);
}
