// The values of an object as a form.

import type { Host } from "./details";
import { button, grouped, h } from "./dom";
import { commitOnEnter } from "./draft";
import { keeps } from "./keep";
import type { Details, Property } from "./messages";
import { objectOf } from "./replacing";

/** The colour that (R=…,G=…,B=…) says: which byte is which depends on the engine. */
function colorOf(text: string): string | null {
  const part = (name: string): string | undefined => new RegExp(`\\b${name}=(\\d+)`).exec(text)?.[1];
  const [red, green, blue] = ["R", "G", "B"].map(part);
  return red && green && blue ? `rgb(${red} ${green} ${blue})` : null;
}

/** The parts of a linear colour that a screen can show, from 0 to 1; brighter ones have no picker. */
function linearOf(property: Property): number[] | null {
  if (!/\bLinearColor\b/.test(property.type)) return null;
  const parts = ["R", "G", "B"].map((name) => Number(new RegExp(`\\b${name}=(-?[\\d.eE+-]+)`).exec(property.text)?.[1] ?? "NaN"));
  return parts.every((part) => part >= 0 && part <= 1) ? parts : null;
}

/** Between the light itself and what screens call it (sRGB, IEC 61966-2-1). */
const toScreen = (light: number): number => Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
const toLight = (byte: number): number => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);

/** The colour of a property for a picker, and the text of the value that a picked one is; alpha stays. */
function picked(property: Property): { now: string; text: (color: string) => string } | null {
  const hexOf = (parts: number[]): string => `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  const bytesOf = (color: string): number[] => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  const write = (parts: number[]): string => `(${["R", "G", "B"].map((name, at) => `${name}=${parts[at]}`).join(",")})`;
  const bytes = property.color ? colorOf(property.text) : null;
  if (bytes) return { now: hexOf(bytes.match(/\d+/g)!.map(Number)), text: (color) => write(bytesOf(color)) };
  const light = linearOf(property);
  if (light) return { now: hexOf(light.map(toScreen)), text: (color) => write(bytesOf(color).map((byte) => Number(toLight(byte).toPrecision(6)))) };
  return null;
}

export class PropertyGrid {
  /** Properties whose parts are shown, outer ones first, and what shows those of each row. */
  private readonly open = new Set<string>();
  private readonly openers = new Map<string, () => Promise<void>>();
  private readonly table = h("div", { class: "properties", role: "treegrid", "aria-label": "Properties" });

  constructor(private host: Host, private details: Details) {
    keeps<string[]>(this.table, "parts of properties", {
      take: () => (this.open.size ? [...this.open] : undefined),
      prepare: async (paths) => {
        for (const path of paths) if (!this.open.has(path)) await this.openers.get(path)?.();
      },
    });
    this.table.addEventListener("keydown", (event) => this.onKey(event));
    this.table.addEventListener("focusin", (event) => this.activate((event.target as HTMLElement).closest<HTMLElement>(".property")));
  }

  /** One row of the form has its controls in the order of tabs; up and down lead to the others. */
  private activate(row: HTMLElement | null): void {
    if (!row || row.classList.contains("active")) return;
    for (const one of this.table.querySelectorAll<HTMLElement>(".property.active")) this.setActive(one, false);
    this.setActive(row, true);
  }

  private setActive(row: HTMLElement, isActive: boolean): void {
    row.classList.toggle("active", isActive);
    for (const control of row.querySelectorAll<HTMLElement>("button, input")) control.tabIndex = isActive ? 0 : -1;
  }

  private onKey(event: KeyboardEvent): void {
    const rows = [...this.table.querySelectorAll<HTMLElement>(".property:not(.head)")];
    const from = (event.target as HTMLElement).closest<HTMLElement>(".property");
    const at = rows.indexOf(from!);
    const next: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 };
    if (at < 0 || !(event.key in next) || event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rows[next[event.key]];
    if (!row) return;
    event.preventDefault();
    this.activate(row);
    (row.querySelector<HTMLElement>("input") ?? row.querySelector<HTMLElement>("button:not(:disabled)"))?.focus();
  }

  /** Marks the row that has the byte of a field, if one has it. */
  markField(field: string): void {
    const path = field.replace(/^bodies\[\d+\]\./, "");
    let best: HTMLElement | undefined;
    for (const row of this.table.querySelectorAll<HTMLElement>(".property[data-property]")) {
      row.removeAttribute("aria-current");
      const own = row.dataset.property!;
      const isIn = path === own || (path.startsWith(own) && /^[.[]/.test(path.slice(own.length)));
      if (isIn && own.length >= (best?.dataset.property?.length ?? 0)) best = row;
    }
    best?.setAttribute("aria-current", "true");
    best?.scrollIntoView({ block: "nearest" });
  }

  async load(): Promise<HTMLElement> {
    const { properties } = await this.host.doc().get<{ properties: Property[] }>("properties", { row: this.details.row });
    this.table.append(h("div", { role: "row", class: "property head" },
      ...["Property", "Type", "Value"].map((text) => h("span", { role: "columnheader" }, text))));
    for (const property of properties) this.table.append(this.row(property, 1));
    for (const row of this.table.querySelectorAll<HTMLElement>(".property:not(.head)")) this.setActive(row, false);
    const first = this.table.querySelector<HTMLElement>(".property:not(.head)");
    if (first) this.setActive(first, true);
    const add = this.adder();
    if (properties.length === 0) return h("div", {}, h("p", { class: "muted" }, "It stores no properties: its class\u2019s defaults count."), add);
    return h("div", {}, this.table, add);
  }

  private row(property: Property, level: number): HTMLElement {
    const short = level === 1 ? property.path : property.path.replace(/^.*?(\[\d+\]|[^.\]]+)$/, "$1");
    const twisty = h("button", {
      type: "button", class: `twisty ${property.inner ? "" : "none"}`, "aria-label": `Parts of ${property.path}`, "aria-expanded": "false",
      disabled: !property.inner,
    });
    const bytes = button(short, () => void this.showBytes(property.path), { class: "property-bytes", title: `${property.path}: show its bytes` });
    const name = h("span", { role: "gridcell", class: "property-name" }, property.inner ? twisty : h("span", { class: "twisty none" }), bytes);
    name.style.paddingInlineStart = `${(level - 1) * 16}px`;
    const row = h("div", { role: "row", class: "property", "aria-level": String(level), "data-property": property.path }, name,
      h("span", { role: "gridcell", class: "property-type" }, property.type),
      h("span", { role: "gridcell", class: "property-value" }, ...this.value(property)));
    if (property.inner) {
      row.setAttribute("aria-expanded", "false");
      const toggle = (): Promise<void> => this.toggle(property, row, twisty, level);
      this.openers.set(property.path, toggle);
      twisty.addEventListener("click", () => void toggle());
    }
    return row;
  }

  private async toggle(property: Property, row: HTMLElement, twisty: HTMLElement, level: number): Promise<void> {
    const isOpen = this.open.delete(property.path);
    if (!isOpen) this.open.add(property.path);
    // Those within are closed with it.
    else for (const path of this.open) if (path.startsWith(property.path) && /^[.[]/.test(path.slice(property.path.length))) this.open.delete(path);
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
    for (const one of rows) this.setActive(one, false);
    row.after(...rows);
  }

  private async showBytes(path: string): Promise<void> {
    try {
      const { range } = await this.host.doc().get<{ range: [number, number] }>("property-range", { row: this.details.row, path });
      this.host.mark(range);
    } catch (error) {
      this.host.fail(error, path);
    }
  }

  private value(property: Property): (Node | null)[] {
    const object = objectOf(this.details);
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
    const color = picked(property);
    const swatch = color ? h("input", { type: "color", class: "swatch", value: color.now, "aria-label": `Colour of ${property.path}`, "data-path": `${property.path}#colour` }) : null;
    // It says so many colours while it is open; the last one counts.
    let last = color?.now;
    swatch?.addEventListener("change", () => {
      if (swatch.value === last) return;
      last = swatch.value;
      void set(color!.text(last));
    });
    const go = property.link ? button("\u2192", () => this.host.go(property.link!), { class: "quiet", "aria-label": `Go to ${property.text}` }) : null;
    const remove = /[.\]]/.test(property.path) ? null : button("\u00d7", () => void this.host.change({ do: "unset", object, property: property.path }), { class: "quiet", "aria-label": `Remove ${property.path}`, title: "Remove it: the class\u2019s default counts again" });
    return [input, swatch, go, remove];
  }

  /** A property that is not stored yet. */
  private adder(): HTMLElement {
    const name = h("input", { type: "text", "aria-label": "Property to add", "data-keep": "name to add", "data-path": "name to add", placeholder: "Name, or Name:int", autocomplete: "off", spellcheck: false });
    const value = h("input", { type: "text", "aria-label": "Its value", "data-keep": "value to add", "data-path": "value to add", placeholder: "Value", autocomplete: "off", spellcheck: false });
    return h("form", {
      class: "adder", onsubmit: (event: Event) => {
        event.preventDefault();
        const [property, typed] = [name.value.trim(), value.value];
        if (!property) return;
        // The view that comes with the change has an empty form; this one is there still where it failed.
        name.value = value.value = "";
        void this.host.change({ do: "set", object: objectOf(this.details), property, value: typed }).then((done) => {
          if (!done && !name.value && !value.value) [name.value, value.value] = [property, typed];
        });
      },
    }, name, value, h("button", { type: "submit" }, "Add"));
  }
}
