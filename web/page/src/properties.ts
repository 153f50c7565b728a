// The values of an object as a form.

import { commitOnEnter } from "./details";
import type { Host } from "./details";
import { button, grouped, h } from "./dom";
import type { Details, Property } from "./messages";

/** The colour that (R=…,G=…,B=…) says: which byte is which depends on the engine. */
function colorOf(text: string): string | null {
  const part = (name: string): string | undefined => new RegExp(`\\b${name}=(\\d+)`).exec(text)?.[1];
  const [red, green, blue] = ["R", "G", "B"].map(part);
  return red && green && blue ? `rgb(${red} ${green} ${blue})` : null;
}

export class PropertyGrid {
  private open = new Set<string>();
  private readonly table = h("div", { class: "properties", role: "treegrid", "aria-label": "Properties" });

  constructor(private host: Host, private details: Details) {}

  async load(): Promise<HTMLElement> {
    const { properties } = await this.host.doc().get<{ properties: Property[] }>("properties", { row: this.details.row });
    this.table.append(h("div", { role: "row", class: "property head" },
      ...["Property", "Type", "Value"].map((text) => h("span", { role: "columnheader" }, text))));
    for (const property of properties) this.table.append(this.row(property, 1));
    const add = this.adder();
    if (properties.length === 0) return h("div", {}, h("p", { class: "muted" }, "It stores no properties: its class\u2019s defaults count."), add);
    return h("div", {}, this.table, add);
  }

  private row(property: Property, level: number): HTMLElement {
    const short = level === 1 ? property.path : property.path.replace(/^.*?(\[\d+\]|[^.\]]+)$/, "$1");
    const twisty = h("button", {
      type: "button", class: `twisty ${property.inner ? "" : "none"}`, "aria-label": `Parts of ${property.path}`, "aria-expanded": "false",
      tabindex: property.inner ? "0" : "-1", disabled: !property.inner,
    });
    const name = h("span", { role: "gridcell", class: "property-name" }, property.inner ? twisty : h("span", { class: "twisty none" }), h("span", { title: property.path }, short));
    name.style.paddingInlineStart = `${(level - 1) * 16}px`;
    const row = h("div", { role: "row", class: "property", "aria-level": String(level) }, name,
      h("span", { role: "gridcell", class: "property-type" }, property.type),
      h("span", { role: "gridcell", class: "property-value" }, ...this.value(property)));
    if (property.inner) {
      row.setAttribute("aria-expanded", "false");
      twisty.addEventListener("click", () => void this.toggle(property, row, twisty, level));
    }
    return row;
  }

  private async toggle(property: Property, row: HTMLElement, twisty: HTMLElement, level: number): Promise<void> {
    const isOpen = this.open.delete(property.path);
    if (!isOpen) this.open.add(property.path);
    row.setAttribute("aria-expanded", String(!isOpen));
    twisty.setAttribute("aria-expanded", String(!isOpen));
    twisty.classList.toggle("open", !isOpen);
    if (isOpen) {
      while (Number((row.nextElementSibling as HTMLElement | null)?.getAttribute("aria-level") ?? 0) > level) row.nextElementSibling!.remove();
      return;
    }
    const { properties, more } = await this.host.doc().get<{ properties: Property[]; more: number }>("within", { row: this.details.row, path: property.path });
    const rows = properties.map((part) => this.row(part, level + 1));
    if (more > 0) rows.push(h("div", { role: "row", class: "property", "aria-level": String(level + 1) }, h("span", { role: "gridcell", class: "muted" }, `and ${grouped(more)} more`)));
    row.after(...rows);
  }

  private value(property: Property): (Node | null)[] {
    const object = this.details.object!;
    const set = (value: string) => this.host.change({ do: "set", object, property: property.path, value });
    if (property.opaque || property.long) {
      return [h("span", { class: "muted long" }, property.long ? `${property.text.slice(0, 300)}\u2026` : "kept as bytes")];
    }
    const props = { "aria-label": property.path, "data-path": property.path, autocomplete: "off", spellcheck: false };
    if (property.kind === "bool") {
      const box = h("input", { type: "checkbox", checked: property.text.toLowerCase() === "true", ...props });
      box.addEventListener("change", () => void set(String(box.checked)).then((done) => { if (!done) box.checked = !box.checked; }));
      return [h("span", { class: "check" }, box, h("span", { "aria-hidden": "true" }, property.text))];
    }
    const input = h("input", { type: "text", value: property.text, inputMode: property.kind === "int" || property.kind === "float" ? "decimal" : "text", class: `value-${property.kind}`, ...props });
    commitOnEnter(input, () => set(input.value), property.text);
    const color = property.color ? colorOf(property.text) : null;
    const swatch = color ? h("span", { class: "swatch", "aria-hidden": "true" }) : null;
    if (swatch) swatch.style.backgroundColor = color!;
    const go = property.link ? button("\u2192", () => this.host.go(property.link!), { class: "quiet", "aria-label": `Go to ${property.text}` }) : null;
    const remove = /[.\]]/.test(property.path) ? null : button("\u00d7", () => void this.host.change({ do: "unset", object, property: property.path }), { class: "quiet", "aria-label": `Remove ${property.path}`, title: "Remove it: the class\u2019s default counts again" });
    return [swatch, input, go, remove];
  }

  /** A property that is not stored yet. */
  private adder(): HTMLElement {
    const name = h("input", { type: "text", "aria-label": "Property to add", placeholder: "Name, or Name:int", autocomplete: "off", spellcheck: false });
    const value = h("input", { type: "text", "aria-label": "Its value", placeholder: "Value", autocomplete: "off", spellcheck: false });
    return h("form", {
      class: "adder", onsubmit: (event: Event) => {
        event.preventDefault();
        if (name.value.trim()) void this.host.change({ do: "set", object: this.details.object, property: name.value.trim(), value: value.value });
      },
    }, name, value, h("button", { type: "submit" }, "Add"));
  }
}
