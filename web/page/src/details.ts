// What is known of the chosen place.

import { codeTab } from "./code";
import { curveTab } from "./curves";
import { dependenciesTab } from "./dependencies";
import type { Change, Doc } from "./doc";
import { h } from "./dom";
import { Failure } from "./engine";
import { factsTab } from "./facts";
import { icon } from "./icons";
import { hasTyped, keptOf, prepareIn, replaceKeeping } from "./keep";
import { KeptViews, identityOf, keyAfterChange, rowsOf } from "./keptviews";
import type { ObjectView } from "./keptviews";
import type { Details, Tab } from "./messages";
import { mapTab } from "./map";
import { meshTab } from "./mesh";
import { graphTab } from "./objectgraphs";
import { pictureTab, thumbnailOf } from "./picture";
import { PropertyGrid } from "./properties";
import { tableTab } from "./table";
import { referencesTab, soundTab, textTab, fileTab } from "./tabs";
import { treemapTab } from "./treemap";
import { VirtualRows } from "./virtual";

export const TAB_NAMES: Record<Tab, string> = {
  map: "Map", mesh: "Mesh", animation: "Animation", graph: "Graph", curve: "Curve", sizes: "Sizes", dependencies: "Dependencies", properties: "Properties", code: "Code", picture: "Picture", sound: "Sound", text: "Text", table: "Table", file: "File",
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
  /** The view that the body holds; undefined where that is none of an object. */
  private drawn: ObjectView | undefined;
  /** How many rows its table had when the object was asked for. */
  private rowCount = 0;
  /** Draws a page that is shown in place of an object's details once more; undefined where none is. */
  private drawPage: (() => void) | undefined;
  private readonly views = new KeptViews();

  constructor(private host: Host) {
    this.element = h("section", { class: "pane details-pane", "aria-label": "Details", id: "pane-details" }, this.head, this.tabs, this.body);
    this.tabs.addEventListener("keydown", (event) => this.onTabKey(event));
  }

  clear(): void {
    this.leave();
    this.drawing += 1;
    this.shown = this.drawPage = undefined;
    this.head.replaceChildren();
    this.tabs.replaceChildren();
    this.body.replaceChildren();
  }

  /** What its user has done in a view waits for it. */
  private leave(): void {
    if (this.drawn) this.views.put(this.drawn, this.views.with(this.drawn, keptOf(this.body)));
    this.drawn = undefined;
  }

  /** Whether a view of a package has text that is stored nowhere. */
  hasTyped(doc: Doc): boolean {
    return this.views.hasTyped(doc) || (this.drawn?.doc === doc && hasTyped(keptOf(this.body)));
  }

  /** Shows other content in place of an object's details; `again` shows it as it is after a change. */
  page(title: string, subtitle: string, content: HTMLElement, again: () => void = () => {}): void {
    const view: ObjectView = { doc: this.host.doc(), object: title, tab: "page" };
    const comesAnew = this.isDrawn(view);
    this.shown = undefined;
    this.drawPage = again;
    this.drawing += 1;
    this.heading("table", title, subtitle);
    this.tabs.replaceChildren();
    this.body.classList.remove("filled");
    this.body.removeAttribute("aria-labelledby");
    this.body.setAttribute("aria-label", title);
    this.put(content, view, comesAnew);
    // One that is asked for once more begins at its top.
    if (!comesAnew) this.body.scrollTop = 0;
  }

  private isDrawn({ doc, object, tab }: ObjectView): boolean {
    return this.drawn?.doc === doc && this.drawn.object === object && this.drawn.tab === tab;
  }

  /** Puts a view into the body, with what waits for it. */
  private put(content: HTMLElement, view: ObjectView, comesAnew: boolean): void {
    // What is there already stays: taken out and put back it would lose the focus, and the keys with it.
    if (content === this.body.firstChild) {
      this.drawn = view;
      return;
    }
    const focus = comesAnew ? keptOf(this.body).focus : undefined;
    this.leave();
    const states = replaceKeeping(this.body, content, { ...this.views.with(view), focus });
    this.views.put(view, { states });
    this.drawn = view;
  }

  /** Marks the property that has the byte of a field. */
  markField(object: string | null, field: string): void {
    if (this.tab === "properties" && this.shown?.key === object) this.grid?.markField(field);
  }

  private heading(sign: string, title: string, subtitle: string): void {
    this.head.replaceChildren(icon(sign), h("h2", { tabindex: "-1" }, title), h("p", { class: "subtitle" }, subtitle));
  }

  /** After a change: the same object, wherever its row is now; the key that it has there. */
  async renew(key: string, tab: Tab | undefined): Promise<string> {
    if (this.drawPage) {
      this.drawPage();
      return key;
    }
    const { shown, drawn } = this;
    const doc = this.host.doc();
    if (!shown || drawn?.doc !== doc) {
      await this.show(key, tab);
      return key;
    }
    const now = await keyAfterChange(doc, shown, this.rowCount);
    if (this.shown !== shown || this.host.doc() !== doc) return key;
    const details = now === undefined ? undefined : await doc.detailsOf(now).catch(() => undefined);
    if (this.shown !== shown || this.host.doc() !== doc) return key;
    if (details && this.drawn === drawn) {
      this.views.rename(doc, drawn.object, identityOf(doc, details));
      drawn.object = identityOf(doc, details);
    }
    await this.show(now ?? key, this.tab === "facts" ? "facts" : tab);
    return now ?? key;
  }

  async show(key: string, tab: Tab | "facts" | undefined): Promise<void> {
    this.drawPage = undefined;
    const drawing = ++this.drawing;
    const doc = this.host.doc();
    let details: Details;
    try {
      details = await doc.detailsOf(key);
    } catch (error) {
      // A change may bring it back.
      if (drawing === this.drawing) this.page(key, "", errorNote(error), () => void this.show(key, tab));
      return;
    }
    if (drawing !== this.drawing) return;
    const isSame = this.shown?.key === details.key;
    this.shown = details;
    this.rowCount = rowsOf(doc, details.key);
    this.heading(details.key.startsWith("export") ? details.subtitle.split(".").pop()! : details.key.split(":")[0], details.title, details.subtitle);
    if (details.thumbnail) void this.addThumbnail(drawing, details);
    const keep = isSame && this.tab !== "facts" && details.tabs.includes(this.tab) ? this.tab : undefined;
    this.tab = tab && (tab === "facts" || details.tabs.includes(tab)) ? tab : keep ?? details.tabs[0] ?? "facts";
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
    const tab = this.tab;
    const doc = this.host.doc();
    const view: ObjectView = { doc, object: identityOf(doc, details), tab };
    const comesAnew = this.isDrawn(view);
    // What is there stays until it comes anew: it is the same one.
    const slow = comesAnew ? 0 : window.setTimeout(() => {
      if (drawing !== this.drawing) return;
      this.leave();
      this.body.replaceChildren(h("p", { class: "muted" }, "\u2026"));
    }, 150);
    let content: HTMLElement;
    let fills = ["rows", "map", "mesh", "animation", "graph", "sizes", "dependencies"].includes(tab);
    try {
      content = await this.content(tab, details, comesAnew ? this.body.firstElementChild : null);
      if (content !== this.body.firstChild) await prepareIn(content, this.views.with(view, comesAnew ? keptOf(this.body) : undefined));
    } catch (error) {
      content = errorNote(error);
      fills = false;
    }
    clearTimeout(slow);
    if (drawing !== this.drawing) return;
    this.body.classList.toggle("filled", fills);
    this.put(content, view, this.isDrawn(view));
  }

  /** `shown` is what shows the same already. */
  private async content(tab: Tab | "facts", details: Details, shown: Element | null): Promise<HTMLElement> {
    const { host } = this;
    switch (tab) {
      case "facts": return factsTab(host, details);
      case "properties": return (this.grid = new PropertyGrid(host, details)).load();
      case "map": return mapTab(host, shown);
      case "mesh": case "animation": return meshTab(host, details);
      case "graph": return graphTab(host, details);
      case "curve": return curveTab(host, details);
      case "sizes": return treemapTab(host);
      case "dependencies": return dependenciesTab(host);
      case "code": return codeTab(host, details, shown);
      case "picture": return pictureTab(host, details);
      case "sound": return soundTab(host, details);
      case "text": return textTab(host, details);
      case "file": return fileTab(host, details);
      case "table": return tableTab(host, details);
      case "references": return referencesTab(host, details);
      case "rows": return this.rows(details);
      case "fields": return factsTab(host, details);
    }
  }

  private rows(details: Details): HTMLElement {
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
}

/** An error with what to do next. */
export function errorNote(error: unknown): HTMLElement {
  const next = error instanceof Failure ? error.next : null;
  return h("div", { class: "note wrong", role: "alert" }, h("p", {}, (error as Error).message), next ? h("p", {}, next) : null);
}
