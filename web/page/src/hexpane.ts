// The pane of bytes: search, the bytes themselves, the chosen field, the fields in view.

import type { Host } from "./details";
import type { Doc } from "./doc";
import { announce, button, grouped, h, hex, settled } from "./dom";
import { Failure } from "./engine";
import { HexView } from "./hexview";
import { Inspector, fieldBytes } from "./inspector";
import { keptOf, replaceKeeping } from "./keep";
import type { Field, FieldCard } from "./messages";
import { VirtualRows } from "./virtual";

/** A text of the documentation without its marks. */
const plain = (text: string): string => text.replaceAll("`", "");

export interface Places {
  go(key: string): void;
  goByte(at: number): void;
  showLayout(name: string): void;
  placed(at: number): void;
  /** The field of the chosen byte is known. */
  fieldShown(card: FieldCard): void;
  change: Host["change"];
}

export class HexPane {
  readonly element: HTMLElement;
  readonly view = new HexView();
  private readonly card = h("div", { class: "field-card", "aria-live": "polite", id: "field-card" });
  private readonly inspector = new Inspector();
  private readonly grid: VirtualRows<Field>;
  private readonly what: HTMLSelectElement;
  private readonly text: HTMLInputElement;
  private readonly said = h("span", { class: "found", role: "status" });
  private fields: Field[] = [];
  private doc: Doc | undefined;
  private asked = 0;
  private shown: FieldCard | undefined;

  constructor(private places: Places) {
    this.grid = new VirtualRows<Field>({
      total: 0,
      load: async (from, count) => this.fields.slice(from, from + count),
      draw: (element, field) => this.drawRow(element, field),
      choose: (field) => this.view.go(field[0]),
      key: (event, field) => {
        if (event.key === "o" && field) this.view.onEnter();
      },
    }, "fields", "Fields of the bytes in view", 24, "grid");
    this.what = h("select", { "aria-label": "What to search for" },
      ...[["text", "Text"], ["bytes", "Bytes"], ["number", "Number, 4 bytes"], ["number-1", "Number, 1 byte"], ["number-2", "Number, 2 bytes"],
        ["number-8", "Number, 8 bytes"], ["compact", "Compact index"], ["name", "Name"], ["place", "Place"]]
        .map(([value, text]) => h("option", { value }, text)));
    this.text = h("input", {
      type: "search", "aria-label": "Search the bytes", placeholder: "Search, or go to 0x\u2026", autocomplete: "off", spellcheck: false, id: "find",
      onkeydown: (event: Event) => {
        const { key, shiftKey } = event as KeyboardEvent;
        if (key === "Enter") void this.find(shiftKey);
        if (key === "Escape") this.view.focus();
      },
    });
    this.view.onCursor = (at, chosen) => this.choose(at, chosen);
    this.view.onView = (fields) => this.onFields(fields);
    this.view.onEnter = () => {
      if (this.shown?.object) this.places.go(this.shown.object);
    };
    this.element = h("section", { class: "pane hex-pane", "aria-label": "Bytes", id: "pane-bytes" },
      h("div", { class: "pane-head" }, this.what, this.text,
        button("Previous", () => void this.find(true), { class: "quiet" }), button("Next", () => void this.find(false), { class: "quiet" }), this.said),
      this.view.element, this.card, this.inspector.element, this.grid.element);
    this.view.element.addEventListener("keydown", (event) => {
      if (event.key !== "F2") return;
      event.preventDefault();
      this.card.querySelector<HTMLElement>("#field-bytes")?.focus();
    });
    this.empty();
  }

  private empty(): void {
    this.card.replaceChildren(h("p", { class: "muted" }, "Choose a byte to see its field."));
  }

  show(doc: Doc | undefined): void {
    this.doc = doc;
    // What was asked of another package is answered too late.
    this.asked += 1;
    this.shown = undefined;
    this.said.textContent = "";
    this.empty();
    this.view.show(doc);
  }

  renew(): void {
    this.view.renew();
    if (this.shown) this.choose(this.view.cursor, false);
  }

  focusSearch(): void {
    this.text.focus();
    this.text.select();
  }

  /** Marks a range and brings it into view. */
  mark(range: [number, number], chosen = true): void {
    if (range[1] <= range[0]) return;
    this.view.go(range[0], chosen);
    this.view.mark(range);
  }

  private onFields = settled(40, (fields: Field[]) => {
    const same = fields.length === this.fields.length && fields[0]?.[0] === this.fields[0]?.[0] && fields.at(-1)?.[1] === this.fields.at(-1)?.[1];
    if (same) return;
    this.fields = fields;
    const at = fields.findIndex(([start, end]) => start <= this.view.cursor && this.view.cursor < end);
    this.grid.reset({ total: fields.length });
    if (at >= 0) this.grid.activate(at);
  });

  private choose(at: number, chosen: boolean): void {
    const asked = ++this.asked;
    if (chosen) this.places.placed(at);
    if (this.doc) this.inspector.show(this.doc, at);
    void this.doc?.get<FieldCard>("field", { at }).then((card) => {
      if (asked !== this.asked) return;
      const before = this.shown;
      this.shown = card;
      this.drawCard(card, at, before?.place === card.place && before.field[2] === card.field[2]);
      this.places.fieldShown(card);
      const row = this.fields.findIndex(([start, , path]) => start === card.field[0] && path === card.field[2]);
      if (row >= 0) this.grid.activate(row);
      this.view.mark([card.field[0], card.field[1]]);
    }).catch((error: unknown) => {
      if (asked !== this.asked) return;
      this.view.unmark();
      this.card.replaceChildren(h("p", { class: "wrong" }, String((error as Error).message)));
    });
  }

  /** `comesAnew` says that it is the field that is shown already: what is typed as its bytes stays. */
  private drawCard(card: FieldCard, at: number, comesAnew: boolean): void {
    const [start, end, path, type, value, meaning, kind] = card.field;
    const size = end - start;
    const facts: [string, Node | string][] = [];
    const link = (text: string, go: () => void) => button(text, go, { class: "link" });
    facts.push(["Place", h("span", {}, h("code", {}, `${hex(start)}\u2026${hex(end)}`), `  ${grouped(size)} ${size === 1 ? "byte" : "bytes"}`,
      at > start ? `, byte ${grouped(at - start)} of it` : "")]);
    facts.push(["Type", h("span", {}, h("code", {}, type), h("span", { class: `kind kind-${kind}` }, kind === "text" ? "typed, text" : kind))]);
    if (!value.startsWith(type) || card.refers) {
      facts.push(["Value", card.refers ? link(card.refers.text || value, () => this.places.go(card.refers!.link)) : h("code", {}, value)]);
    }
    if (meaning && !(card.refers && meaning.endsWith(card.refers.text))) facts.push(["Meaning", meaning]);
    if (card.jump !== null) facts.push(["Leads to", link(hex(card.jump), () => this.places.goByte(card.jump!))]);
    facts.push(["Part of", card.object ? link(card.place, () => this.places.go(card.object!)) : card.place]);
    if (card.layout) {
      const { layout, bounds, doc, when } = card.layout;
      facts.push(["Versions", bounds || "all"]);
      if (when) facts.push(["Condition", h("code", {}, when)]);
      if (doc) facts.push(["Description", plain(doc)]);
      facts.push(["Layout", link(layout, () => this.places.showLayout(layout))]);
    }
    const own = h("span", {});
    facts.splice(2, 0, ["Bytes", own]);
    const asked = this.asked;
    const content = h("div", {}, h("h2", { class: "field-path" }, path),
      h("dl", { class: "facts compact" }, ...facts.flatMap(([label, content]) => [h("dt", {}, label), h("dd", {}, content)])));
    const bytes = fieldBytes(this.doc!, card, (change) => this.places.change(change)).then((shown) => own.replaceChildren(shown)).catch(() => {});
    if (!comesAnew) return this.card.replaceChildren(content);
    void bytes.then(() => { if (asked === this.asked) replaceKeeping(this.card, content, keptOf(this.card)); });
  }

  private drawRow(element: HTMLElement, field: Field | undefined): void {
    const drawn = field ? `${field[0]} ${field[2]} ${field[4]}` : "";
    if (element.dataset.drawn === drawn) return;
    element.dataset.drawn = drawn;
    if (!field) return element.replaceChildren(h("span", { role: "gridcell" }, "\u2026"));
    const [start, , path, type, value, meaning, kind] = field;
    const shown = value.startsWith(type) ? value : `${type} ${value}`;
    element.replaceChildren(
      h("span", { role: "gridcell", class: "cell-at" }, start.toString(16).padStart(6, "0")),
      h("span", { role: "gridcell", class: "cell-path" }, h("i", { class: `dot dot-${kind}`, "aria-hidden": "true" }), path),
      h("span", { role: "gridcell", class: "cell-value" }, meaning ? `${meaning}` : shown));
  }

  private async find(backwards: boolean): Promise<void> {
    const text = this.text.value.trim();
    if (!text || !this.doc) return;
    const what = this.what.value;
    const place = /^(0x[0-9a-f]+|@\d+)$/i.exec(text);
    if (what === "place" || (place && what === "text")) {
      const at = Number(text.replace(/^@/, ""));
      if (Number.isFinite(at) && at >= 0 && at < this.view.length) {
        this.said.textContent = "";
        this.view.go(at);
        this.view.focus();
      } else this.said.textContent = `No such byte; the last is ${hex(this.view.length - 1)}.`;
      return;
    }
    const from = backwards ? this.view.selection[0] : this.view.cursor + 1;
    try {
      const ask = (from: number) => this.doc!.get<{ found: boolean; at?: number; length?: number; key?: string }>("find", { what, text, from, backwards });
      let hit = await ask(from);
      let wrapped = false;
      if (!hit.found && what !== "name") {
        hit = await ask(backwards ? this.view.length : 0);
        wrapped = hit.found;
      }
      if (!hit.found) this.said.textContent = "Not found.";
      else if (hit.key) {
        this.said.textContent = "";
        this.places.go(hit.key);
      } else {
        this.said.textContent = wrapped ? `At ${hex(hit.at!)}, around the end.` : `At ${hex(hit.at!)}.`;
        this.view.go(hit.at!);
        this.view.anchor = hit.at! + hit.length! - 1;
        this.view.refresh();
      }
    } catch (error) {
      const next = error instanceof Failure ? error.next : null;
      this.said.textContent = [(error as Error).message, next].filter(Boolean).join(". ");
    }
    announce(this.said.textContent ?? "");
  }
}
