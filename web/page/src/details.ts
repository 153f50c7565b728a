// What is known of the chosen place.

import { codeTab } from "./code";
import { curveTab } from "./curves";
import { dependenciesTab } from "./dependencies";
import type { Change, Doc } from "./doc";
import { button, grouped, h } from "./dom";
import { Failure } from "./engine";
import { graphTab } from "./graph";
import { icon } from "./icons";
import { keepIn, keptOf } from "./keep";
import type { Details, Fact, Tab } from "./messages";
import { mapTab } from "./map";
import { meshTab } from "./mesh";
import { pictureTab, thumbnailOf } from "./picture";
import { PropertyGrid } from "./properties";
import { tableTab } from "./table";
import { referencesTab, soundTab, textTab, fileTab } from "./tabs";
import { treemapTab } from "./treemap";
import { VirtualRows } from "./virtual";

export const TAB_NAMES: Record<Tab, string> = {
  map: "Map", mesh: "Mesh", graph: "Graph", curve: "Curve", sizes: "Sizes", dependencies: "Dependencies", properties: "Properties", code: "Code", picture: "Picture", sound: "Sound", text: "Text", table: "Table", file: "File",
  rows: "Rows", references: "References", fields: "Bytes",
};

/** What the details ask of the page. */
export interface Host {
  doc(): Doc;
  /** The files of all packages that the page has, open or listed. */
  filesAtHand(): File[];
  go(key: string, tab?: Tab): void;
  mark(range: [number, number]): void;
  fail(error: unknown, about?: string): void;
  /** Changes the package; false where that failed, which was said: by `refused`, if it takes the failure. */
  change(change: Change, refused?: (failure: Failure) => boolean): Promise<boolean>;
  tabChosen(tab: Tab): void;
}

export class DetailsPane {
  readonly element: HTMLElement;
  private readonly head = h("div", { class: "details-head" });
  private readonly tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Views of the object" });
  private readonly body = h("div", { class: "details-body", role: "tabpanel", tabindex: "0", id: "details-panel" });
  private shown: Details | undefined;
  private tab: Tab | "facts" = "facts";
  private drawing = 0;
  private grid: PropertyGrid | undefined;
  /** The view and the object that the body holds, and the package: rows of others have the same keys. */
  private drawn = "";
  private drawnOf: Doc | undefined;

  constructor(private host: Host) {
    this.element = h("section", { class: "pane details-pane", "aria-label": "Details", id: "pane-details" }, this.head, this.tabs, this.body);
    this.tabs.addEventListener("keydown", (event) => this.onTabKey(event));
  }

  clear(): void {
    this.shown = undefined;
    this.head.replaceChildren();
    this.tabs.replaceChildren();
    this.body.replaceChildren();
    this.drawn = "";
  }

  /** Shows other content in place of an object's details. */
  page(title: string, subtitle: string, content: Node): void {
    this.shown = undefined;
    this.drawing += 1;
    this.heading("table", title, subtitle);
    this.tabs.replaceChildren();
    this.body.classList.remove("filled");
    this.body.removeAttribute("aria-labelledby");
    this.body.setAttribute("aria-label", title);
    this.body.replaceChildren(content);
    this.drawn = "";
    this.body.scrollTop = 0;
  }

  /** Marks the property that has the byte of a field. */
  markField(object: string | null, field: string): void {
    if (this.tab === "properties" && this.shown?.key === object) this.grid?.markField(field);
  }

  private heading(sign: string, title: string, subtitle: string): void {
    this.head.replaceChildren(icon(sign), h("h2", { tabindex: "-1" }, title), h("p", { class: "subtitle" }, subtitle));
  }

  async show(key: string, tab: Tab | undefined): Promise<void> {
    const drawing = ++this.drawing;
    let details: Details;
    try {
      details = await this.host.doc().detailsOf(key);
    } catch (error) {
      if (drawing === this.drawing) this.page(key, "", errorNote(error));
      return;
    }
    if (drawing !== this.drawing) return;
    const isSame = this.shown?.key === details.key;
    this.shown = details;
    this.heading(details.key.startsWith("export") ? details.subtitle.split(".").pop()! : details.key.split(":")[0], details.title, details.subtitle);
    if (details.thumbnail) void this.addThumbnail(drawing, details);
    const keep = isSame && this.tab !== "facts" && details.tabs.includes(this.tab) ? this.tab : undefined;
    this.tab = tab && details.tabs.includes(tab) ? tab : keep ?? details.tabs[0] ?? "facts";
    this.drawTabs();
    await this.drawBody();
  }

  /** The picture of an object beside its name. */
  private async addThumbnail(drawing: number, details: Details): Promise<void> {
    const picture = await thumbnailOf(this.host, details.thumbnail!, details.title);
    if (!picture || this.shown?.key !== details.key || drawing > this.drawing) return;
    // An object that is shown twice while its picture is awaited has one.
    this.head.querySelector(".thumbnail")?.remove();
    this.head.append(picture);
  }

  private drawTabs(): void {
    const all: (Tab | "facts")[] = ["facts", ...this.shown!.tabs.filter((tab) => tab !== "fields")];
    this.tabs.replaceChildren(...all.map((tab) => h("button", {
      type: "button", role: "tab", id: `tab-${tab}`, "aria-selected": tab === this.tab ? "true" : "false", "aria-controls": "details-panel",
      tabindex: tab === this.tab ? "0" : "-1", "data-tab": tab, onclick: () => this.choose(tab),
    }, tab === "facts" ? "About" : TAB_NAMES[tab])));
    if (!all.includes(this.tab)) this.tab = "facts";
    this.body.setAttribute("aria-labelledby", `tab-${this.tab}`);
  }

  private choose(tab: Tab | "facts"): void {
    this.tab = tab;
    this.drawTabs();
    this.tabs.querySelector<HTMLElement>(`[data-tab="${tab}"]`)?.focus();
    if (tab !== "facts") this.host.tabChosen(tab);
    void this.drawBody();
  }

  private onTabKey(event: KeyboardEvent): void {
    const all = [...this.tabs.querySelectorAll<HTMLElement>("[role=tab]")];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 };
    if (at < 0 || !(event.key in next)) return;
    event.preventDefault();
    all[(next[event.key] + all.length) % all.length].click();
  }

  /** Draws the view; the one that is there already comes anew after a change, and keeps what its user has done in it. */
  private async drawBody(): Promise<void> {
    const drawing = ++this.drawing;
    const details = this.shown!;
    const drawn = `${this.tab} ${details.key}`;
    const doc = this.host.doc();
    const comesAnew = this.drawn === drawn && this.drawnOf === doc;
    const scroll = comesAnew ? this.body.scrollTop : 0;
    const tab = this.tab;
    // What is there stays until it comes anew: it is the same one.
    const slow = comesAnew ? 0 : window.setTimeout(() => {
      if (drawing !== this.drawing) return;
      this.drawn = "";
      this.body.replaceChildren(h("p", { class: "muted" }, "\u2026"));
    }, 150);
    let content: Node;
    let fills = ["rows", "map", "mesh", "graph", "sizes", "dependencies"].includes(tab);
    try {
      content = await this.content(tab, details);
    } catch (error) {
      content = errorNote(error);
      fills = false;
    }
    clearTimeout(slow);
    if (drawing !== this.drawing) return;
    const focused = (document.activeElement as HTMLElement | null)?.dataset?.path;
    [this.drawn, this.drawnOf] = [drawn, doc];
    // Taken out and put back it would lose the focus, and the keys with it.
    if (this.body.firstChild !== content) {
      const kept = comesAnew ? keptOf(this.body) : undefined;
      this.body.replaceChildren(content);
      if (kept) keepIn(this.body, kept);
    }
    this.body.classList.toggle("filled", fills);
    this.body.scrollTop = scroll;
    if (focused) this.body.querySelector<HTMLElement>(`[data-path="${CSS.escape(focused)}"]`)?.focus();
  }

  private async content(tab: Tab | "facts", details: Details): Promise<Node> {
    const { host } = this;
    switch (tab) {
      case "facts": return this.facts(details);
      case "properties": return (this.grid = new PropertyGrid(host, details)).load();
      case "map": return mapTab(host, this.body.firstElementChild);
      case "mesh": return meshTab(host, details);
      case "graph": return graphTab(host, details);
      case "curve": return curveTab(host, details);
      case "sizes": return treemapTab(host);
      case "dependencies": return dependenciesTab(host);
      case "code": return codeTab(host, details);
      case "picture": return pictureTab(host, details);
      case "sound": return soundTab(host, details);
      case "text": return textTab(host, details);
      case "file": return fileTab(host, details);
      case "table": return tableTab(host, details);
      case "references": return referencesTab(host, details);
      case "rows": return this.rows(details);
      case "fields": return this.facts(details);
    }
  }

  private rows(details: Details): Node {
    interface Row { key: string; cells: (string | number)[] }
    const grid = new VirtualRows<Row>({
      total: details.total ?? 0,
      load: async (from, count) => (await this.host.doc().get<{ rows: Row[] }>("rows", { key: details.key, from, count })).rows,
      draw: (element, row, at) => {
        const drawn = row?.key ?? `?${at}`;
        if (element.dataset.drawn === drawn) return;
        element.dataset.drawn = drawn;
        const cells = row?.cells ?? [at];
        element.replaceChildren(...cells.map((cell) => h("span", { role: "gridcell" }, String(cell))));
      },
      choose: (row) => this.host.go(row.key),
    }, "rows", details.title, 24, "grid");
    grid.element.classList.add(`columns-${details.columns?.length ?? 1}`);
    return grid.element;
  }

  private facts(details: Details): Node {
    const list = h("dl", { class: "facts" });
    for (const fact of details.facts) {
      list.append(h("dt", {}, fact.label), h("dd", {}, this.fact(fact)));
    }
    const range = details.range;
    const notes = (details.notes ?? []).map((note) => h("p", { class: "note" }, note));
    return h("div", {}, ...notes, list,
      range && range[1] > range[0] ? h("p", { class: "actions" },
        button(`Show its ${grouped(range[1] - range[0])} bytes`, () => this.host.mark(range)),
        details.object ? button("Duplicate\u2026", () => this.duplicate(details)) : null,
        details.object ? button("Remove", () => void this.host.change({ do: "remove", object: details.object! }).then((done) => {
          if (done) this.host.go("exports");
        })) : null) : null);
  }

  private duplicate(details: Details): void {
    const name = prompt("Name of the copy", `${details.title}2`);
    if (name) void this.host.change({ do: "duplicate", object: details.object, name });
  }

  private fact(fact: Fact): Node {
    if (fact.link) return button(fact.value, () => this.host.go(fact.link!), { class: "link" });
    const shown = fact.range ? h("span", {}, fact.value, " ", button("show", () => this.host.mark(fact.range!), { class: "link" })) : null;
    if (!fact.edit) return shown ?? document.createTextNode(fact.value);
    const text = fact.flags ? fact.flags.join(" | ") : fact.value;
    const input = h("input", { type: "text", value: text, "aria-label": fact.label, "data-path": `fact-${fact.label}`, autocomplete: "off", spellcheck: false, class: "wide" });
    commitOnEnter(input, async () => {
      const edit = fact.edit!;
      const { range: _range, ...change } = edit.change as Change;
      if (fact.flags) {
        const wanted = input.value.split(/[|,]/).map((word) => word.trim()).filter(Boolean);
        change.add = wanted.filter((word) => !fact.flags!.includes(word));
        change.remove = fact.flags.filter((word) => !wanted.includes(word));
      } else change[edit.field] = input.value;
      return this.host.change(change);
    }, text);
    return input;
  }
}

/** Enter or leaving the field takes its value over; Escape brings the old one back. */
export function commitOnEnter(input: HTMLInputElement | HTMLTextAreaElement, commit: () => Promise<boolean>, old: string): void {
  let running = false;
  const run = async (): Promise<void> => {
    if (running || input.value === old) return;
    running = true;
    input.setAttribute("aria-busy", "true");
    const done = await commit();
    running = false;
    input.removeAttribute("aria-busy");
    input.setAttribute("aria-invalid", String(!done));
    if (done) old = input.value;
  };
  input.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey } = event as KeyboardEvent;
    const ends = input instanceof HTMLInputElement || ctrlKey || metaKey;
    if (key === "Enter" && ends) {
      event.preventDefault();
      void run();
    } else if (key === "Escape") {
      input.value = old;
      input.setAttribute("aria-invalid", "false");
    }
  });
  input.addEventListener("change", () => void run());
}

/** An error with what to do next. */
export function errorNote(error: unknown): HTMLElement {
  const next = error instanceof Failure ? error.next : null;
  return h("div", { class: "note wrong", role: "alert" }, h("p", {}, (error as Error).message), next ? h("p", {}, next) : null);
}
