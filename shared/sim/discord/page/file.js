// A file that is handed to an application: picked or dropped, its size held to Discord's limit, its bytes read when it is sent.

import { el, icon, iconButton } from "./dom.js";

const most = 10 * 1048576; // what Discord takes of somebody without Nitro

export const size = n => n >= 1048576 ? (n / 1048576).toFixed(1) + " MB" : n >= 1024 ? (n / 1024).toFixed(1) + " KB" : n + " B";

// FilePick is the field: a button that says what was chosen. changed is called after each choice.
export class FilePick {
  constructor({ label, several = 1, changed = () => {} }) {
    Object.assign(this, { files: [], several, changed, error: "" });
    this.input = el("input", { type: "file", multiple: several > 1, hidden: true, "aria-label": label, on: { change: () => { this.add(this.input.files); this.input.value = ""; } } });
    this.button = el("button", { type: "button", class: "choose", "aria-label": label + ": choose a file", on: { click: () => this.input.click() } });
    this.list = el("ul", { class: "chosen" });
    this.node = el("div", { class: "filepick", on: { dragover: e => e.preventDefault(), drop: e => { e.preventDefault(); this.add(e.dataTransfer.files); } } }, this.input, this.list, this.button);
    this.draw();
  }

  add(files) {
    this.error = "";
    for (const f of files) {
      if (f.size > most) { this.error = `${f.name} is larger than ${size(most)}; Discord takes no more.`; continue; }
      if (this.several === 1) this.files = [f];
      else if (this.files.length < this.several) this.files.push(f);
      else this.error = `No more than ${this.several} files.`;
    }
    this.draw();
    this.changed();
  }

  draw() {
    this.list.replaceChildren(...this.files.map(f => el("li", {}, icon("file"), el("span", { text: f.name }), el("small", { text: size(f.size) }),
      iconButton("close", "Take " + f.name + " out", () => { this.files = this.files.filter(x => x !== f); this.draw(); this.changed(); this.button.focus(); }))));
    this.button.replaceChildren(icon("upload"), this.files.length ? (this.several > 1 ? "Add another" : "Change") : "Choose a file");
    this.button.hidden = this.several > 1 && this.files.length >= this.several;
  }

  focus() { this.button.focus(); }

  clear() { this.files = []; this.draw(); }

  // read is the files with their bytes, as the simulator takes them.
  read() { return Promise.all(this.files.map(async f => ({ filename: f.name, size: f.size, content: await bytes(f) }))); }
}

// bytes are a file's, in base64.
function bytes(f) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => failed(new Error(f.name + " cannot be read"));
    reader.readAsDataURL(f);
  });
}
