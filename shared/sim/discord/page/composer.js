// The message box: a draft for each channel, replies, completion, the limit said and not cut, and who is typing.

import { ask, at } from "./net.js";
import { $, el, icon, iconButton } from "./dom.js";
import { attempt, toast } from "./toast.js";
import { nameOf, speaker, world } from "./world.js";
import { Completion, people, places } from "./complete.js";
import { commands, CommandForm } from "./command.js";
import * as log from "./log.js";

const most = 4000; // code points of a person's message
const drafts = new Map(), typists = new Map();
let field, form, bar, count, typing, reply = null, command = null, completion, told = 0, sending = false;

export function begin(actions) {
  typing = el("div", { id: "typing" });
  bar = el("div", { id: "replying", hidden: true });
  field = el("textarea", { id: "text", rows: "1", "aria-label": "Message", enterkeyhint: "send", autocomplete: "off" });
  count = el("output", { id: "count", for: "text", hidden: true });
  form = el("form", { id: "compose", on: { submit: e => { e.preventDefault(); send(); } } },
    field, count, el("button", { id: "send", type: "submit", class: "iconic", "aria-label": "Send", title: "Send" }, icon("send")));
  $("foot").append(bar, form, typing);
  completion = new Completion(field, [
    { pattern: /^\/([\w-]{0,32})$/, find: async word => (await commands(1)).filter(c => c.name.includes(word)).map(c => ({ label: "/" + c.name, hint: c.description, act: () => run(c, actions) })),
      none: async () => (await commands(1)).length ? "No command of this name." : "No commands here yet." },
    people, places]);
  new ResizeObserver(([e]) => document.documentElement.style.setProperty("--foot", e.borderBoxSize[0].blockSize + "px")).observe($("foot"));
  field.addEventListener("input", changed);
  field.addEventListener("keydown", e => {
    if (completion.key(e)) return;
    if (e.key === "Enter" && !e.shiftKey && !e.isComposing) { e.preventDefault(); send(); }
    else if (e.key === "Escape" && reply) { e.stopPropagation(); answer(null); }
    else if (e.key === "ArrowUp" && field.value === "" && !e.altKey) {
      const own = log.lastOf(v => !v.system && v.message.author.id === world.me.id);
      if (own) { e.preventDefault(); own.edit(); }
    }
  });
}

function changed() {
  const n = [...field.value].length;
  count.hidden = n < most - 400;
  count.textContent = String(most - n);
  count.classList.toggle("over", n > most);
  drafts.set(world.channel.id, field.value);
  if (Date.now() - told < 8000 || !field.value || field.value.startsWith("/")) return;
  told = Date.now();
  ask("POST", "/typing", { channel: world.channel.id, user: world.me.id }).catch(() => {}); // a sign, and no more
}

// enter brings out the draft of the channel that was opened.
export function enter(hint) {
  endCommand();
  field.value = drafts.get(world.channel.id) || "";
  field.placeholder = hint;
  answer(null);
  for (const id of [...typists.keys()]) stopTyping(id);
  told = 0;
  completion.close();
  changed();
}

export const focus = () => field.focus();

// propose puts a text into the box, as if it had been typed.
export function propose(text) {
  field.value = text;
  changed();
  field.focus();
}

// answer makes the next message a reply, or no reply.
export function answer(view) {
  reply = view;
  bar.hidden = !view;
  if (!view) return;
  bar.replaceChildren(el("span", {}, "Replying to ", el("b", { text: speaker(view.message).name }), el("span", { class: "soft", text: " " + log.preview(view) })),
    iconButton("close", "Do not reply", () => { answer(null); field.focus(); }));
  field.focus();
}

// gone forgets a reply whose message was deleted.
export function gone(id) { if (reply && reply.id === id) answer(null); }

async function send() {
  const content = field.value, n = [...content].length, channel = world.channel.id;
  if (sending || !content.trim()) return;
  if (n > most) { toast(`That is ${n} characters; a message may have ${most}. Nothing was sent, and nothing was cut.`); return; }
  const to = reply;
  sending = true; // and the box is emptied at once: what is typed meanwhile stays
  field.value = "";
  drafts.delete(channel);
  answer(null);
  changed();
  const ok = await attempt(() => ask("POST", at(channel, "messages"), { author: world.me.id, content, reply_to: to ? to.id : "" }));
  sending = false;
  if (!ok && !drafts.get(channel)) {
    drafts.set(channel, content);
    if (world.channel.id === channel) { field.value = content; changed(); if (to && log.view(to.id)) answer(to); }
  }
  told = 0;
}

// run opens the form of a command instead of the box.
function run(c, actions) {
  field.value = "";
  changed();
  endCommand();
  command = new CommandForm(c, { send: async options => { if (await actions.interact({ kind: "command", command: c.name, options })) endCommand(true); }, cancel: () => endCommand(true) });
  form.hidden = true;
  form.before(command.node);
  command.focus();
}

function endCommand(back) {
  if (command) command.node.remove();
  command = null;
  form.hidden = false;
  if (back) field.focus();
}

// typed shows that somebody types, for ten seconds or until they have spoken.
export function typed(user) {
  if (user === world.me.id) return;
  clearTimeout(typists.get(user));
  typists.set(user, setTimeout(stopTyping, 10000, user));
  showTyping();
}

export function stopTyping(user) {
  clearTimeout(typists.get(user));
  if (typists.delete(user)) showTyping();
}

function showTyping() {
  const names = [...typists.keys()].map(nameOf);
  const dots = el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i"));
  const who = names.length > 3 ? ["Several people"] : names;
  typing.replaceChildren(...(names.length ? [dots, el("b", { text: who.join(", ") }), names.length > 1 ? " are typing…" : " is typing…"] : []));
}
