// Many packages that were given together: a list, of which those are opened that one chooses.

import type { Listing } from "./bar";
import { grouped, h, settled } from "./dom";
import { pathOf } from "./files";
import type { Group } from "./files";
import { VirtualRows } from "./virtual";

/** What a list of files asks of the page. */
export interface FolderHost {
  /** Opens a package, or goes to it where it is open. */
  openListed(group: Group): Promise<void>;
  isOpen(group: Group): boolean;
}

export class FolderSet implements Listing {
  readonly isUnsaved = false;
  readonly element: HTMLElement;
  readonly name: string;
  private shown: Group[];
  private readonly found = h("span", { class: "found", role: "status" });
  private readonly filter: HTMLInputElement;
  private readonly rows: VirtualRows<Group>;

  constructor(readonly groups: Group[], private host: FolderHost) {
    groups.sort((a, b) => pathOf(a.header).localeCompare(pathOf(b.header), "en", { numeric: true }));
    this.shown = groups;
    const folders = new Set(groups.map(({ header }) => pathOf(header).split("/").slice(0, -1)[0] ?? ""));
    const [folder] = folders;
    this.name = folders.size === 1 && folder ? folder : `${grouped(groups.length)} packages`;
    this.rows = new VirtualRows<Group>({
      total: groups.length,
      load: async (from, count) => this.shown.slice(from, from + count),
      draw: (element, group) => this.draw(element, group),
      choose: (group) => void this.host.openListed(group).then(() => this.redraw()),
      key: (event) => { if (event.key.length === 1 && /\S/.test(event.key)) this.filter.focus(); },
    }, "listed", "Packages", 26, "grid");
    this.filter = h("input", {
      type: "search", class: "filter", placeholder: "Filter by path", "aria-label": "Filter by path", autocomplete: "off", spellcheck: false,
      oninput: settled(120, () => this.apply()),
      onkeydown: (event: Event) => {
        if ((event as KeyboardEvent).key !== "ArrowDown") return;
        event.preventDefault();
        this.rows.element.focus();
      },
    });
    const columns = h("div", { class: "row columns", "aria-hidden": "true" }, h("span", {}, "File"), h("span", {}, "Folder"), h("span", { class: "number" }, "Bytes"), h("span", {}, "Beside it"));
    this.element = h("section", { class: "pane containers-pane", "aria-label": "Packages", id: "folder" },
      h("div", { class: "containers-head" }, h("h2", { tabindex: "-1" }, this.name)),
      h("div", { class: "contained alone" }, h("div", { class: "pane-head" }, this.filter, this.found), columns, this.rows.element));
    this.apply();
  }

  private apply(): void {
    const text = this.filter.value.trim().toLowerCase();
    this.shown = this.groups.filter(({ header }) => pathOf(header).toLowerCase().includes(text));
    this.found.textContent = `${grouped(this.shown.length)} package${this.shown.length === 1 ? "" : "s"}`;
    this.rows.active = 0;
    this.redraw();
  }

  /** Which of them are open may have changed. */
  redraw(): void {
    this.rows.reset({ total: this.shown.length });
  }

  private draw(element: HTMLElement, group: Group | undefined): void {
    if (!group) return element.replaceChildren(h("span", { role: "gridcell", class: "pending" }, "\u2026"));
    const path = pathOf(group.header);
    const beside = [group.bodies, ...group.beside].filter((file): file is File => file !== undefined);
    element.replaceChildren(
      h("span", { role: "gridcell", class: "label package" }, group.name, this.host.isOpen(group) ? h("span", { class: "muted" }, " open") : null),
      h("span", { role: "gridcell", class: "muted", title: path }, path.slice(0, -group.name.length - 1)),
      h("span", { role: "gridcell", class: "number" }, grouped(beside.reduce((sum, file) => sum + file.size, group.header.size))),
      h("span", { role: "gridcell", class: "muted" }, beside.map((file) => file.name.slice(file.name.indexOf("."))).join(", ")));
  }

  focus(): void {
    this.rows.element.focus();
  }

  close(): void {}
}
