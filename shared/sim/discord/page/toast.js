// Short words about what did not work, and questions before what cannot be undone.

import { el, $, iconButton } from "./dom.js";

// toast shows a sentence for a while; it stays while the pointer or the focus is on it.
export function toast(text) {
  const box = el("div", { class: "toast" }, el("span", { text }), iconButton("close", "Dismiss", () => box.remove()));
  const leave = () => { if (box.matches(":hover, :focus-within")) setTimeout(leave, 2000); else box.remove(); };
  setTimeout(leave, 8000);
  for (const old of [...$("toasts").children].filter(o => o.firstChild.textContent === text)) old.remove();
  $("toasts").append(box);
}

// attempt runs something and says why it did not work. It returns whether it did.
export async function attempt(what) {
  try { await what(); return true; } catch (e) { toast("That did not work: " + e.message); return false; }
}

// sure asks before something is gone for good; it resolves to true or false.
export function sure(question, action) {
  return new Promise(done => {
    const box = el("dialog", { class: "box", "aria-label": question });
    const answer = yes => { box.close(); box.remove(); done(yes); };
    box.append(el("p", { text: question }), el("div", { class: "row" },
      el("button", { type: "button", text: "Cancel", class: "plain", on: { click: () => answer(false) } }),
      el("button", { type: "button", text: action, class: "danger", autofocus: true, on: { click: () => answer(true) } })));
    box.addEventListener("cancel", e => { e.preventDefault(); answer(false); });
    document.body.append(box);
    box.showModal();
  });
}
