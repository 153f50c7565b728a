// What the bytes at the cursor say as every kind of value, and the bytes of the chosen field, which can be changed.

import type { Host } from "./details";
import type { Doc } from "./doc";
import { h, hex } from "./dom";
import { commitOnEnter } from "./draft";
import type { FieldCard } from "./messages";

interface Inspected { at: number; big: boolean; values: [string, string | null, number][] }

/** Bytes of a field that are shown to be changed. */
const MOST = 16;

export class Inspector {
  private readonly list = h("dl", { class: "facts compact", id: "inspected" });
  private readonly said = h("span", { class: "muted" });
  readonly element = h("details", { class: "inspector", id: "inspector" }, h("summary", {}, "Values at the cursor ", this.said), this.list);
  private asked = 0;
  private wanted: [Doc, number] | undefined;

  constructor() {
    this.element.addEventListener("toggle", () => void this.draw());
  }

  show(doc: Doc, at: number): void {
    this.wanted = [doc, at];
    void this.draw();
  }

  private async draw(): Promise<void> {
    const asked = ++this.asked;
    if (!this.element.open || !this.wanted) return;
    const [doc, at] = this.wanted;
    const found = await doc.get<Inspected>("inspect", { at }).catch(() => undefined);
    if (!found || asked !== this.asked) return;
    this.said.textContent = `${hex(at)}, ${found.big ? "big-endian" : "little-endian"}`;
    this.list.replaceChildren(...found.values.flatMap(([kind, text, size]) => [
      h("dt", {}, kind), h("dd", {}, text === null ? h("span", { class: "muted" }, "none") : h("code", { title: size === 1 ? "1 byte" : `${size} bytes` }, text))]));
  }
}

/** The bytes of a field as text that can be changed, or why they can't be. */
export async function fieldBytes(doc: Doc, card: FieldCard, change: Host["change"]): Promise<HTMLElement> {
  const [start, end] = card.field;
  const { property, reason } = card.set;
  if (property === null || end - start > MOST) {
    return h("span", { class: "muted", id: "field-bytes-why" }, property === null ? reason! : `it has more than ${MOST} bytes`);
  }
  const { bytes } = await doc.ask("bytes", { from: start, length: end - start });
  const text = [...new Uint8Array(bytes!)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const input = h("input", { type: "text", value: text, id: "field-bytes", class: "wide", "aria-label": `Bytes of ${property}`, "data-path": "field-bytes", autocomplete: "off", spellcheck: false });
  commitOnEnter(input, () => change({ do: "bytes", at: start, bytes: input.value }), text);
  return input;
}
