// In place of Lit's styleMap, whose first drawing writes a style attribute, which the page's Content-Security-Policy forbids: this
// sets properties one by one from the first.
import { noChange } from "lit";
import { Directive, directive } from "lit/directive.js";

class StyleMap extends Directive {
  update(part, [styles]) {
    this.set ??= new Set();
    for (const name of this.set) if (styles[name] == null) part.element.style.removeProperty(name);
    this.set.clear();
    for (const [name, value] of Object.entries(styles)) if (value != null) {
      this.set.add(name);
      part.element.style.setProperty(name, value);
    }
    return noChange;
  }

  render() { return noChange; }
}

export const styleMap = directive(StyleMap);
