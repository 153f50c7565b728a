// Containers: what they hold, and the packages in them.

import type { Listing } from "./bar";
import { announce, grouped, h, settled } from "./dom";
import { Engine, Failure } from "./engine";
import type { Group } from "./files";
import { download } from "./tabs";
import { VirtualRows } from "./virtual";

interface OneContainer {
  name: string;
  size: number;
  form?: string;
  files?: number;
  packages?: number;
  /** Files of its blocks that were not given. */
  missing?: string[];
  locked?: boolean;
  error?: string;
}

interface ContainedFile {
  container: number;
  row: number;
  path: string;
  from: string;
  size: number;
  stored: number;
  method: string | null;
  encrypted: boolean;
  deleted: boolean;
  package: boolean;
}

interface Taken {
  parts: { kind: "header" | "bodies" | "beside" | "scripts" | "file"; name: string; length: number }[];
  imported: string[];
}

/** What containers ask of the page. */
export interface ContainersHost {
  openGroup(group: Group): Promise<void>;
  fail(error: unknown, about?: string): void;
}

/** The containers that were given together, in a worker of their own: their files stay where they are. */
export class ContainerSet implements Listing {
  readonly engine = new Engine();
  readonly isUnsaved = false;
  readonly element: HTMLElement;
  private containers: OneContainer[] = [];
  private readonly list = h("ul", { class: "containers" });
  private readonly key = h("input", { type: "text", id: "container-key", autocomplete: "off", spellcheck: false, size: 40 });
  private readonly lock = h("form", { class: "unlock", hidden: true, onsubmit: (event: Event) => {
    event.preventDefault();
    void this.unlock();
  } }, h("label", { for: "container-key" }, "Key"), this.key, h("button", { type: "submit" }, "Unlock"),
    h("p", { class: "muted" }, "AES-256: 64 hexadecimal digits, or Base64; GUID:KEY where there are several. It stays on this machine."));
  private readonly found = h("span", { class: "found", role: "status" });
  private readonly filter: HTMLInputElement;
  private readonly which: HTMLSelectElement;
  private readonly rows: VirtualRows<ContainedFile>;
  /** Filter and list; not there as long as nothing can be listed. */
  private readonly content: HTMLElement;

  constructor(readonly files: File[], private host: ContainersHost) {
    this.rows = new VirtualRows<ContainedFile>({
      total: 0,
      load: async (from, count) => (await this.engine.get<{ rows: ContainedFile[] }>({ op: "files", from, count })).rows,
      draw: (element, row) => this.draw(element, row),
      choose: (row) => void this.take(row),
      key: (event) => { if (event.key.length === 1 && /\S/.test(event.key)) this.filter.focus(); },
    }, "contained", "Files of the containers", 26, "grid");
    const filter = settled(120, () => void this.apply());
    this.filter = h("input", {
      type: "search", class: "filter", placeholder: "Filter by path", "aria-label": "Filter by path", autocomplete: "off", spellcheck: false, oninput: filter,
      onkeydown: (event: Event) => {
        if ((event as KeyboardEvent).key !== "ArrowDown") return;
        event.preventDefault();
        this.rows.element.focus();
      },
    });
    this.which = h("select", { "aria-label": "Which files", onchange: () => void this.apply() }, h("option", { value: "packages" }, "Packages"), h("option", { value: "all" }, "All files"));
    const columns = h("div", { class: "row columns", "aria-hidden": "true" }, h("span", {}, "File"), h("span", {}, "Folder"), h("span", { class: "number" }, "Bytes"), h("span", {}, "Stored"), h("span", {}, "Container"));
    this.content = h("div", { class: "contained" }, h("div", { class: "pane-head" }, this.filter, this.which, this.found), columns, this.rows.element);
    this.element = h("section", { class: "pane containers-pane", "aria-label": "Containers", id: "containers" },
      h("div", { class: "containers-head" }, h("h2", { tabindex: "-1" }, this.name), this.list, this.lock),
      this.content);
  }

  get name(): string {
    const tables = this.files.map((file) => file.name).filter((name) => /\.(pak|utoc)$/i.test(name));
    const main = tables.find((name) => !/^global\.utoc$/i.test(name)) ?? tables[0];
    return tables.length > 1 ? `${main} and ${tables.length - 1} more` : main;
  }

  /** Reads the tables of contents; throws where none of them is one. */
  async open(): Promise<void> {
    this.tell(await this.engine.get<{ containers: OneContainer[]; rows: number }>({ op: "containers" }, undefined, this.files));
    if (this.containers.every((one) => one.error && !one.locked)) {
      throw new Failure(this.containers.map((one) => `${one.name}: ${one.error}`).join("; "), "Drop a whole .pak, or a .utoc with its .ucas.", "container");
    }
    await this.apply();
  }

  private tell({ containers }: { containers: OneContainer[] }): void {
    this.containers = containers;
    this.list.replaceChildren(...containers.map((one) => {
      const facts = [one.form, one.files === undefined ? undefined : `${grouped(one.packages ?? 0)} packages among ${grouped(one.files)} files`, `${grouped(one.size)} bytes`];
      const missing = one.missing?.length ? `${one.missing.join(", ")} is missing: drop it together with ${one.name}` : undefined;
      const problem = one.locked ? "encrypted: it needs its key" : one.error ?? missing;
      // Alone it has its name above.
      const name = containers.length > 1 ? h("span", { class: "mono" }, `${one.name} `) : null;
      return h("li", {}, name, h("span", { class: "muted" }, facts.filter(Boolean).join(", ")), problem ? h("span", { class: "wrong" }, ` ${problem}`) : null);
    }));
    const stores = containers.filter((one) => /\.utoc$/i.test(one.name) && one.packages);
    if (stores.length && !containers.some((one) => /^global\.utoc$/i.test(one.name))) {
      this.list.append(h("li", { class: "muted" }, "Classes are called by their hash: global.utoc and global.ucas, dropped together with it, know their names."));
    }
    this.content.hidden = containers.every((one) => one.files === undefined);
    this.content.classList.toggle("alone", containers.length === 1);
    this.lock.hidden = !containers.some((one) => one.locked);
    // Some have no packages at all.
    if (this.lock.hidden && !containers.some((one) => one.packages)) this.which.value = "all";
  }

  private async unlock(): Promise<void> {
    const key = this.key.value.trim();
    if (!key) return;
    const locked = (): number => this.containers.filter((one) => one.locked).length;
    const before = locked();
    try {
      this.tell(await this.engine.get<{ containers: OneContainer[] }>({ op: "unlock", key }));
      await this.apply();
    } catch (error) {
      return this.host.fail(error, "Not unlocked");
    }
    if (before > 0 && locked() === before) return this.host.fail(new Failure("the key does not fit", "Give the key of this game.", "key"), "Not unlocked");
    this.key.value = "";
    announce("Unlocked");
    this.rows.element.focus();
  }

  private async apply(): Promise<void> {
    const text = this.filter.value.trim();
    const { rows } = await this.engine.get<{ rows: number }>({ op: "filter-files", text, packages: this.which.value === "packages" });
    const what = this.which.value === "packages" ? "package" : "file";
    this.found.textContent = `${grouped(rows)} ${what}${rows === 1 ? "" : "s"}`;
    this.rows.active = 0;
    this.rows.reset({ total: rows });
  }

  private draw(element: HTMLElement, row: ContainedFile | undefined): void {
    const drawn = row ? `${row.container} ${row.row}` : "";
    if (element.dataset.drawn === drawn) return;
    element.dataset.drawn = drawn;
    if (!row) {
      element.replaceChildren(h("span", { role: "gridcell", class: "pending" }, "\u2026"));
      return;
    }
    const at = row.path.lastIndexOf("/");
    const kept = [row.method ? `${row.method}, ${grouped(row.stored)}` : "stored", row.encrypted ? "encrypted" : "", row.deleted ? "deleted" : ""];
    element.replaceChildren(
      h("span", { role: "gridcell", class: row.package ? "label package" : "label" }, row.path.slice(at + 1)),
      h("span", { role: "gridcell", class: "muted", title: row.path }, at < 0 ? "" : row.path.slice(0, at)),
      h("span", { role: "gridcell", class: "number" }, grouped(row.size)),
      h("span", { role: "gridcell", class: "muted" }, kept.filter(Boolean).join(", ")),
      h("span", { role: "gridcell", class: "muted from" }, row.from));
  }

  /** Opens a package with all that belongs to it; saves what is none. */
  private async take(row: ContainedFile): Promise<void> {
    try {
      const { value, bytes } = await this.engine.ask<Taken>({ op: "take", container: row.container, row: row.row });
      let from = 0;
      const parts = value.parts.map(({ kind, name, length }) => {
        const file = new File([new Uint8Array(bytes ?? new ArrayBuffer(0), from, length)], name);
        from += length;
        return { kind, file };
      });
      const of = (wanted: string): File[] => parts.filter(({ kind }) => kind === wanted).map(({ file }) => file);
      const [header] = of("header");
      if (!header) {
        for (const file of of("file")) download(file, file.name);
        return announce(`Saved ${row.path}`);
      }
      await this.host.openGroup({ name: header.name, header, bodies: of("bodies")[0], beside: of("beside"), scripts: of("scripts"), imported: value.imported });
    } catch (error) {
      if (error instanceof Failure && error.kind === "needs-key") {
        this.lock.hidden = false;
        this.key.focus();
      }
      this.host.fail(error, row.path);
    }
  }

  focus(): void {
    (this.lock.hidden ? this.rows.element : this.key).focus();
  }

  close(): void {
    this.engine.close();
  }
}
