// The tree of a package, with its filter.

import type { Doc } from "./doc";
import { announce, grouped, h, settled } from "./dom";
import { Failure } from "./engine";
import { icon } from "./icons";
import type { TreeRow } from "./messages";
import { VirtualRows } from "./virtual";

export class TreeView {
  readonly element: HTMLElement;
  private readonly rows: VirtualRows<TreeRow>;
  private readonly filter: HTMLInputElement;
  private readonly found = h("span", { class: "found", role: "status" });
  private doc: Doc | undefined;
  private filtered = false;

  constructor(private choose: (key: string) => void, private current: () => string) {
    this.rows = new VirtualRows<TreeRow>({
      total: 0,
      load: async (from, count) => (await this.doc!.get<{ rows: TreeRow[] }>("tree", { from, count })).rows,
      draw: (element, row) => this.draw(element, row),
      choose: (row) => this.choose(row.key),
      key: (event, row, at) => void this.key(event, row, at),
    }, "tree", "Objects and tables");
    const filter = settled(120, () => void this.apply());
    this.filter = h("input", {
      type: "search", class: "filter", placeholder: "Filter by name or class", "aria-label": "Filter by name or class",
      autocomplete: "off", spellcheck: false, oninput: filter,
      onkeydown: (event: Event) => {
        if ((event as KeyboardEvent).key === "ArrowDown") {
          event.preventDefault();
          this.rows.element.focus();
        }
      },
    });
    this.element = h("section", { class: "pane tree-pane", "aria-label": "Objects", id: "pane-objects" },
      h("div", { class: "pane-head" }, this.filter, this.found), this.rows.element);
  }

  show(doc: Doc | undefined): void {
    this.doc = doc;
    this.filter.value = "";
    this.filtered = false;
    this.found.textContent = "";
    this.rows.active = 0;
    this.rows.reset({ total: doc?.summary.rows ?? 0 });
    this.rows.element.scrollTop = 0;
    if (doc) void this.apply();
  }

  /** After a change: the same place in the tree as it is now; whether other rows may be where they were. What is filtered stays so. */
  async renew(): Promise<boolean> {
    const before = this.rows.total;
    const { total } = await this.doc!.get<{ total: number }>("tree", { from: 0, count: 0 });
    this.rows.reset({ total });
    return total !== before && !this.filtered;
  }

  private async apply(): Promise<void> {
    const text = this.filter.value.trim();
    const doc = this.doc!;
    const answer = await doc.get<{ rows: number; found: number }>("filter", { text }).catch((error: unknown) => {
      // Closed before its module was there: nobody waits for the answer.
      if (!(error instanceof Failure && error.kind === "closed")) throw error;
    });
    if (!answer || doc !== this.doc) return;
    const { rows, found } = answer;
    this.found.textContent = text ? `${grouped(found)} found` : "";
    if (text) this.rows.active = 0;
    this.rows.reset({ total: rows });
    if (!text && this.filtered) await this.reveal(this.current());
    this.filtered = text !== "";
  }

  /** Brings a place into view. */
  async reveal(key: string): Promise<void> {
    const { rows, row } = await this.doc!.get<{ rows: number; row: number | null }>("locate", { key });
    if (rows !== this.rows.total) this.rows.reset({ total: rows });
    else this.rows.reset();
    if (row !== null) this.rows.activate(row);
  }

  focusFilter(): void {
    this.filter.focus();
    this.filter.select();
  }

  private draw(element: HTMLElement, row: TreeRow | undefined): void {
    const drawn = row ? `${row.key} ${row.open} ${row.label}` : "";
    if (element.dataset.drawn === drawn) return;
    element.dataset.drawn = drawn;
    element.className = element.classList.contains("active") ? "row active" : "row";
    element.removeAttribute("aria-expanded");
    if (!row) {
      element.replaceChildren(h("span", { role: "gridcell", class: "cell-name pending" }, "\u2026"));
      return;
    }
    element.setAttribute("aria-level", String(row.depth + 1));
    if (row.inner > 0) element.setAttribute("aria-expanded", String(row.open));
    const twisty = h("span", {
      class: row.inner > 0 ? `twisty ${row.open ? "open" : ""}` : "twisty none", "aria-hidden": "true",
      onclick: (event: Event) => {
        event.stopPropagation();
        if (row.inner > 0) void this.toggle(row, Number(element.dataset.at));
      },
    });
    const name = h("span", { role: "gridcell", class: "cell-name" }, twisty, icon(row.icon), h("span", { class: "label" }, row.label));
    name.style.paddingInlineStart = `${4 + Math.min(row.depth, 24) * 14}px`;
    element.replaceChildren(name, h("span", { role: "gridcell", class: "cell-detail" }, row.detail));
  }

  private async toggle(row: TreeRow, at: number): Promise<void> {
    const { rows } = await this.doc!.get<{ rows: number }>("toggle", { key: row.key, open: !row.open });
    this.rows.active = at;
    this.rows.reset({ total: rows });
    announce(`${row.label}, ${row.open ? "closed" : "open"}`);
  }

  private async key(event: KeyboardEvent, row: TreeRow | undefined, at: number): Promise<void> {
    if (!row) return;
    if (event.key === "ArrowRight" && row.inner > 0) {
      event.preventDefault();
      if (row.open) this.rows.activate(at + 1);
      else await this.toggle(row, at);
    } else if (event.key === "ArrowLeft") {
      event.preventDefault();
      if (row.inner > 0 && row.open) return this.toggle(row, at);
      for (let outer = at - 1; outer >= 0; outer--) {
        const above = await this.rows.fetch(outer);
        if (above && above.depth < row.depth) return this.rows.activate(outer);
      }
    } else if (event.key.length === 1 && /\S/.test(event.key)) {
      this.filter.focus();
    }
  }
}
