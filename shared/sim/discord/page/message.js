// One message as a component of Discord's look. A message is made once and painted again whenever it changes: streamed edits replace
// its text and nothing else.

import { el, flag, icon, iconButton } from "./dom.js";
import { markdown, plain } from "./markdown.js";
import { face, nameOf, pictureOf, portrait, speaker, tint, voiceOf, words, world } from "./world.js";
import { attachments, controls, embeds } from "./parts.js";
import { reactions } from "./reactions.js";

export const clock = d => d.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

// when is the time of a message in words.
export function when(d, now = new Date()) {
  const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(d).setHours(0, 0, 0, 0)) / 86400000);
  return days === 0 ? "Today at " + clock(d) : days === 1 ? "Yesterday at " + clock(d) : d.toLocaleDateString() + " " + clock(d);
}

// Types that people and apps say; every other is the system's word.
const speech = [0, 19, 20, 23];

// tokenLife is how long an application may take to write what it said it was thinking about.
const tokenLife = 15 * 60000;

// growth is how long after an edit a message may still be growing; the page's data-growth says otherwise, in milliseconds.
const growth = () => Number(document.documentElement.dataset.growth ?? 2000);

export class MessageView {
  // actions are what the bar of a message does: {reply, edit, remove, react, copy, trace, apps, jump}.
  constructor(message, actions) {
    this.actions = actions;
    this.system = !speech.includes(message.type);
    this.node = el(this.system ? "discord-system-message" : "discord-message", { role: "article", tabindex: "-1", "data-id": message.id });
    this.text = el("span", { class: "text" });
    this.pieces = new Map(); // what stands around the text: name → {key, nodes}
    this.working = this.failure = "";
    this.node.append(this.text);
    this.paint(message);
  }

  get id() { return this.message.id; }

  // paint shows the message as it is now. live says that the change has just happened.
  paint(message, live = false) {
    const before = this.message;
    this.message = message;
    const recovers = Boolean(before && live && this.failure);
    if (recovers) this.failure = "";
    this.face = face(message);
    if (live && message.edited_timestamp && this.face.app && !message.ephemeral_to) this.grow();
    if (this.system) { this.paintSystem(message); return; }
    if (!before || before.content !== message.content || before.flags !== message.flags || before.local !== message.local) this.paintText(message);
    flag(this.node, "edited", message.edited_timestamp && !this.growing);
    if (before && !recovers && same(before, message)) return;
    this.paintFrame(message);
    this.paintExtras(message);
  }

  paintText(message) {
    if (this.form) return; // being edited by hand
    const text = message.content, voice = this.voice = voiceOf(message);
    const told = () => voice && voice.known ? [voiced(voice), ...markdown(voice.text)] : markdown(text);
    this.text.replaceChildren(...(this.state(message) || told()));
    this.label(message);
    this.text.classList.toggle("jumbo", text.length < 60 && /^(\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u200d\ufe0f\s])+$/u.test(text) && /\S/.test(text));
  }

  // state is what stands in the place of a text that is not there yet, or does not come; null where there is one.
  state(message) {
    clearTimeout(this.patience);
    const failed = why => [el("span", { class: "failed", role: "alert" }, icon("alert"), "The application did not respond"),
      why ? el("small", { text: why }) : null, message.again ? el("button", { type: "button", class: "inline", text: "Try again", on: { click: () => { this.actions.dismiss(this); message.again(); } } }) : null].filter(Boolean);
    if (message.local === "failed") return failed(message.why);
    const waits = message.local === "sending" ? "Sending command…" : message.flags & 128 ? this.face.name + " is thinking…" : "";
    if (!waits) return null;
    const left = tokenLife - (Date.now() - new Date(message.timestamp));
    if (left <= 0) return failed("");
    this.patience = setTimeout(() => this.paintText(this.message), left);
    return [el("span", { class: "soft thinking" }, el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i")), waits)];
  }

  paintFrame(message) {
    const date = new Date(message.timestamp), n = this.node;
    n.setAttribute("author", this.face.name);
    n.setAttribute("avatar", portrait(this.face));
    n.setAttribute("role-color", "var(--name-" + tint(this.face.name) + ")");
    flag(n, "bot", this.face.app);
    flag(n, "highlight", called(message));
    flag(n, "ephemeral", message.ephemeral_to || message.flags & 64);
    this.date = date;
    this.label(message);
    this.stamp();
  }

  // label says to those who do not see it who speaks, and when.
  label(message) {
    const through = this.voice && this.voice.known ? this.voice.name + " through " : "";
    this.node.setAttribute("aria-label", through + this.face.name + (this.face.app ? ", app" : "") + ", " + when(new Date(message.timestamp)));
  }

  // stamp writes the time: short where only the body is shown.
  stamp() { this.node.setAttribute("timestamp", this.node.hasAttribute("message-body-only") ? clock(this.date) : when(this.date)); }

  // join shows the message as the continuation of the one above, without its author, or not.
  join(on) {
    if (this.system || this.joined === on) return;
    this.joined = on;
    flag(this.node, "message-body-only", on);
    this.stamp();
  }

  // continues tells whether the message goes on where the other ended. One that names its voice begins anew.
  continues(other) {
    return other && !this.voice && !this.system && !other.system && !this.message.message_reference && !this.message.interaction_metadata &&
      this.face.key === other.face.key && this.date - other.date < 7 * 60000 && this.date.toDateString() === other.date.toDateString() &&
      Boolean(this.message.ephemeral_to) === Boolean(other.message.ephemeral_to);
  }

  paintExtras(message) {
    const m = message, a = this.actions, r = m.referenced_message;
    const had = this.node.contains(document.activeElement) ? document.activeElement.closest("[data-custom]") : null;
    const pieces = {
      origin: [[m.message_reference, r && [r.id, r.content], m.interaction, m.mentions], () => [origin(m, a)]], snapshots: [m.message_snapshots, () => [snapshots(m)]],
      files: [[m.attachments, m.sticker_items, m.flags & (1 << 15)], () => [m.flags & (1 << 15) ? null : attachments(m)]], embeds: [[m.embeds, m.flags & 4], () => embeds(m)], controls: [m.components, () => controls(m, a)],
      failure: [this.failure, () => [this.failure ? el("p", { slot: "components", class: "failed", role: "alert" }, icon("alert"), "This interaction failed", el("small", { text: this.failure.trim() })) : null]],
      reactions: [[m.reactions, m.reactors, world.me.id], () => [reactions(m, a)]], privacy: [m.ephemeral_to, () => [m.ephemeral_to ? this.privacy() : null]],
    };
    for (const [name, [key, make]] of Object.entries(pieces)) this.piece(name, JSON.stringify(key) || "", make);
    this.bar ||= this.makeBar();
    let ref = null; // what did not change stays where it is, with its focus and its open list
    for (const e of [...[...this.pieces.values()].flatMap(p => p.nodes), this.bar].reverse()) {
      if (e.parentNode !== this.node || e.nextSibling !== ref) this.node.insertBefore(e, ref);
      ref = e;
    }
    this.showBusy();
    if (had && !had.isConnected) this.refocus(had.dataset.custom);
  }

  piece(name, key, make) {
    const old = this.pieces.get(name);
    if (old && old.key === key) return;
    if (old) for (const e of old.nodes) e.remove();
    this.pieces.set(name, { key, nodes: make().filter(Boolean) });
  }

  // refocus gives the focus to the component that came in the place of the one that had it, or to the message.
  refocus(custom) {
    const again = custom && this.node.querySelector(`[data-custom="${CSS.escape(custom)}"]:not(:disabled)`);
    (again || this.node).focus({ preventScroll: true });
  }

  // busy shows that a component's press is on its way; "" that it is over.
  busy(custom) {
    this.working = custom;
    if (custom && this.failure) { this.failure = ""; this.paintExtras(this.message); }
    this.showBusy();
  }

  showBusy() {
    for (const e of this.node.querySelectorAll("[data-custom]")) {
      e.classList.toggle("working", e.dataset.custom === this.working);
      if (e.dataset.custom === this.working) e.setAttribute("aria-busy", "true"); else e.removeAttribute("aria-busy");
      if (this.working) e.setAttribute("aria-disabled", "true"); else e.removeAttribute("aria-disabled");
    }
  }

  // fails says under the components that the press came to nothing.
  fails(why) {
    this.failure = why;
    this.paintExtras(this.message);
  }

  privacy() {
    return el("div", { slot: "thread", class: "privacy" }, icon("eye"), "Only you can see this · ",
      el("button", { type: "button", class: "inline", text: "Dismiss message", on: { click: () => this.actions.dismiss(this) } }));
  }

  makeBar() {
    const a = this.actions, me = () => this.message.author.id === world.me.id;
    const bar = el("div", { slot: "thread", class: "bar", role: "toolbar", "aria-label": "Message" });
    const fill = () => {
      if (bar.childElementCount === 0) make();
      bar.querySelector(".own").hidden = !me();
      const own = Boolean(this.message.ephemeral_to); // nobody else has it, so there is nothing to be done with it
      for (const act of ["react", "reply", "delete"]) bar.querySelector(`[data-act=${act}]`).hidden = own;
      for (const act of ["trace", "copy"]) bar.querySelector(`[data-act=${act}]`).hidden = Boolean(this.message.local) || act === "trace" && !world.state.explains;
      a.offered().then(some => { bar.querySelector("[data-act=apps]").hidden = !some || own; });
      this.inView(bar);
    };
    const make = () => {
      bar.append(
        iconButton("smile", "Add a reaction", e => a.react(this, e.currentTarget), { "data-act": "react" }),
        iconButton("reply", "Reply", () => a.reply(this), { "data-act": "reply" }),
        iconButton("edit", "Edit", () => this.edit(), { class: "iconic own", "data-act": "edit", hidden: !me() }),
        iconButton("trace", "How this came to be", () => a.trace(this), { "data-act": "trace", hidden: !world.state.explains }),
        iconButton("apps", "Apps", e => a.apps(this, e.currentTarget), { "data-act": "apps", hidden: true }),
        iconButton("copy", "Copy the message's id", () => a.copy(this), { "data-act": "copy" }),
        iconButton("trash", "Delete", e => a.remove(this, e.shiftKey), { "data-act": "delete", class: "iconic danger-text" }));
    };
    for (const name of ["pointerenter", "focusin"]) this.node.addEventListener(name, fill);
    this.node.addEventListener("click", fill);
    return bar;
  }

  // inView lowers the bar of a message that begins above what is seen of the list.
  inView(bar) {
    if (!this.node.isConnected) return; // the click took it away
    bar.style.top = "";
    const at = bar.getBoundingClientRect(), over = this.node.parentElement.getBoundingClientRect().top + 4 - at.top;
    if (at.height && over > 0 && getComputedStyle(bar).position === "absolute") bar.style.top = parseFloat(getComputedStyle(bar).top) + over + "px";
  }

  paintSystem(message) {
    const words = { 1: "added somebody", 6: "pinned a message to this channel.", 7: "joined the server.", 18: "started a thread: " + message.content };
    this.date = new Date(message.timestamp);
    this.node.setAttribute("type", message.type === 7 ? "join" : message.type === 6 ? "pin" : message.type === 18 ? "thread" : "edit");
    this.node.setAttribute("timestamp", when(this.date));
    this.node.setAttribute("aria-label", this.face.name);
    this.text.replaceChildren(el("b", { text: this.face.name }), " " + (words[message.type] || plain(message.content) || "did something."));
  }

  // grow shows for a moment that more may come. What one person is shown alone is an answer that took another's place, and complete.
  grow() {
    clearTimeout(this.growing);
    this.growing = setTimeout(() => {
      this.growing = 0;
      this.node.classList.remove("growing");
      flag(this.node, "edited", this.message.edited_timestamp);
      this.actions.settled(this);
    }, growth());
    this.node.classList.add("growing");
  }

  // edit puts the text into a field in its place.
  edit() {
    if (this.form || this.system || this.message.ephemeral_to) return;
    const field = el("textarea", { class: "field", rows: "1", "aria-label": "Edit the message" });
    field.value = this.message.content.replace(/<@!?(\d+)>/g, (all, id) => world.known.has(id) ? "@" + nameOf(id) : all);
    const leave = () => { this.form = null; this.paintText(this.message); this.actions.done(); };
    const save = async () => {
      if (field.value.trim() === "") { leave(); this.actions.remove(this, false); return; }
      if (await this.actions.save(this, field.value)) leave();
    };
    field.addEventListener("keydown", e => {
      if (e.key === "Escape") { e.stopPropagation(); leave(); }
      if (e.key === "Enter" && !e.shiftKey && !e.isComposing) { e.preventDefault(); save(); }
      if (e.key.startsWith("Arrow")) e.stopPropagation();
    });
    this.form = el("form", { class: "editing", on: { submit: e => { e.preventDefault(); save(); } } }, field,
      el("div", { class: "hint" }, "escape to ", el("button", { type: "button", class: "inline", text: "cancel", on: { click: leave } }),
        " • enter to ", el("button", { type: "submit", class: "inline", text: "save" })));
    this.text.replaceChildren(this.form);
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }

  // spoken is the message as it is read aloud.
  spoken() { return speaker(this.message).name + ": " + (plain(words(this.message), 400) || "a message without text"); }

  drop() { clearTimeout(this.growing); clearTimeout(this.patience); this.node.remove(); }
}

// voiced is the line that names who speaks, with their face; what is said stands below.
function voiced(voice) {
  return el("span", { class: "voice" }, el("img", { src: portrait(voice), alt: "" }), el("strong", { text: voice.name }), "\n");
}

// same tells whether two forms of a message differ in nothing but their text.
function same(a, b) {
  const rest = m => JSON.stringify([m.embeds, m.components, m.attachments, m.reactions, m.reactors, m.flags, m.pinged, m.author, m.referenced_message && m.referenced_message.content, m.sticker_items, m.local, world.me.id]);
  return rest(a) === rest(b);
}

function called(m) { return Boolean(world.me) && m.author.id !== world.me.id && ((m.pinged || []).some(p => p === world.me.id || p === "everyone" || p === "here")); }

// origin shows what a message answers, or which command it answers.
function origin(m, actions) {
  const command = m.interaction_metadata || m.interaction;
  if (command && m.type === 20) {
    const user = command.user || {}, name = user.global_name || user.username || nameOf(user.id);
    return el("discord-reply", { slot: "reply", author: name, avatar: portrait({ name, avatar: pictureOf(user) }), "role-color": "var(--name-" + tint(name) + ")" },
      "used " + (command.name || (m.interaction && m.interaction.name) ? "/" + (command.name || m.interaction.name) : "a command"));
  }
  if (!m.message_reference || m.message_reference.type) return null;
  const r = m.referenced_message;
  if (!r) return el("discord-reply", { slot: "reply", deleted: true });
  const who = speaker(r), go = () => actions.jump(r.id);
  const notified = (m.mentions || []).some(u => u.id === r.author.id);
  return el("discord-reply", {
    slot: "reply", author: who.name, avatar: portrait(who), bot: who.app, mentions: notified, "role-color": "var(--name-" + tint(who.name) + ")",
    role: "link", tabindex: "0", "aria-label": "Reply to " + who.name + ", go there", attachment: r.attachments && r.attachments.length > 0,
    on: { click: go, keydown: e => { if (e.key === "Enter") { e.preventDefault(); go(); } } },
  }, plain(words(r)) || "Click to see");
}

// snapshots are what a forwarded message carries.
function snapshots(m) {
  if (!m.message_snapshots || !m.message_snapshots.length) return null;
  return el("div", { slot: "embeds", class: "forwarded" }, el("small", {}, icon("reply"), "Forwarded"),
    ...m.message_snapshots.map(s => el("div", { class: "text" }, ...markdown(s.message.content))));
}
