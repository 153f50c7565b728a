// Containers: what they hold, and the packages in them.

import { announce, grouped, h } from "./dom";
import { Engine, Failure } from "./engine";
import { pathOf } from "./files";
import type { Group } from "./files";
import { download } from "./tabs";

export interface OneContainer {
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

export interface ContainedFile {
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

/** Files whose descriptions are asked for at once. */
const BLOCK = 8192;

interface Taken {
  parts: { kind: "header" | "bodies" | "beside" | "scripts" | "file"; name: string; length: number }[];
  imported: string[];
}

/** What containers ask of the page. */
export interface ContainersHost {
  fail(error: unknown, about?: string): void;
}

/** Containers that were given together, in a worker of their own: their files stay where they are. */
export class ContainerSet {
  readonly engine = new Engine();
  /** What is said of them, and the form for their key. */
  readonly element: HTMLElement;
  containers: OneContainer[] = [];
  private readonly list = h("ul", { class: "containers" });
  private readonly key: HTMLInputElement;
  private readonly lock: HTMLElement;
  /** Called when a key has unlocked some. */
  onUnlocked: () => Promise<void> = async () => {};

  /** `number` makes the ids of their fields differ. */
  constructor(readonly files: File[], number: number, private host: ContainersHost) {
    const id = number === 0 ? "container-key" : `container-key-${number}`;
    this.key = h("input", { type: "text", id, autocomplete: "off", spellcheck: false, size: 40 });
    this.lock = h("form", { class: "unlock", hidden: true, onsubmit: (event: Event) => {
      event.preventDefault();
      void this.unlock();
    } }, h("label", { for: id }, "Key"), this.key, h("button", { type: "submit" }, "Unlock"),
    h("p", { class: "muted" }, "AES-256: 64 hexadecimal digits, or Base64; GUID:KEY where there are several. It stays on this machine."));
    this.element = h("div", {}, this.list, this.lock);
  }

  get name(): string {
    const tables = this.files.map((file) => file.name).filter((name) => /\.(pak|utoc)$/i.test(name));
    const main = tables.find((name) => !/^global\.utoc$/i.test(name)) ?? tables[0];
    return tables.length > 1 ? `${main} and ${tables.length - 1} more` : main;
  }

  /** Where the container of this row lies below what was dropped. */
  pathOf(row: number): string {
    const { name } = this.containers[row];
    const before = this.containers.slice(0, row).filter((one) => one.name === name).length;
    const file = this.files.filter((file) => file.name === name)[before];
    return file ? pathOf(file) : name;
  }

  /** Reads the tables of contents; throws where none of them is one. */
  async open(): Promise<void> {
    this.show(await this.engine.get<{ containers: OneContainer[] }>({ op: "containers" }, undefined, this.files));
    if (this.containers.every((one) => one.error && !one.locked)) {
      throw new Failure(this.containers.map((one) => `${one.name}: ${one.error}`).join("; "), "Drop a whole .pak, or a .utoc with its .ucas.", "container");
    }
  }

  /** All files of all of them. */
  async all(): Promise<ContainedFile[]> {
    const { rows: total } = await this.engine.get<{ rows: number }>({ op: "filter-files", text: "", packages: false });
    const all: ContainedFile[] = [];
    for (let from = 0; from < total; from += BLOCK) {
      const { rows } = await this.engine.get<{ rows: ContainedFile[] }>({ op: "files", from, count: BLOCK });
      for (const row of rows) all.push(row);
    }
    return all;
  }

  get isLocked(): boolean {
    return !this.lock.hidden;
  }

  private show({ containers }: { containers: OneContainer[] }): void {
    this.containers = containers;
    this.list.replaceChildren(...containers.map((one) => {
      const facts = [one.form, one.files === undefined ? undefined : `${grouped(one.packages ?? 0)} packages among ${grouped(one.files)} files`, `${grouped(one.size)} bytes`];
      const missing = one.missing?.length ? `${one.missing.join(", ")} is missing: drop it together with ${one.name}` : undefined;
      const problem = one.locked ? "encrypted: it needs its key" : one.error ?? missing;
      return h("li", {}, h("span", { class: "mono" }, `${one.name} `), h("span", { class: "muted" }, facts.filter(Boolean).join(", ")), problem ? h("span", { class: "wrong" }, ` ${problem}`) : null);
    }));
    const stores = containers.filter((one) => /\.utoc$/i.test(one.name) && one.packages);
    if (stores.length && !containers.some((one) => /^global\.utoc$/i.test(one.name))) {
      this.list.append(h("li", { class: "muted" }, "Classes are called by their hash: global.utoc and global.ucas, dropped together with it, know their names."));
    }
    this.lock.hidden = !containers.some((one) => one.locked);
  }

  private async unlock(): Promise<void> {
    const key = this.key.value.trim();
    if (!key) return;
    const locked = (): number => this.containers.filter((one) => one.locked).length;
    const before = locked();
    try {
      this.show(await this.engine.get<{ containers: OneContainer[] }>({ op: "unlock", key }));
    } catch (error) {
      return this.host.fail(error, "Not unlocked");
    }
    if (before > 0 && locked() === before) return this.host.fail(new Failure("the key does not fit", "Give the key of this game.", "key"), "Not unlocked");
    this.key.value = "";
    announce("Unlocked");
    await this.onUnlocked();
  }

  /** The package, with all that belongs to it; what is none is saved. Undefined where nothing is to be opened. */
  async take(row: ContainedFile): Promise<Group | undefined> {
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
      if (header) return { name: header.name, header, bodies: of("bodies")[0], beside: of("beside"), scripts: of("scripts"), imported: value.imported };
      for (const file of of("file")) download(file, file.name);
      announce(`Saved ${row.path}`);
    } catch (error) {
      if (error instanceof Failure && error.kind === "needs-key") {
        this.lock.hidden = false;
        this.key.focus();
      }
      throw error;
    }
    return undefined;
  }

  focusKey(): void {
    this.key.focus();
  }

  close(): void {
    this.engine.close();
  }
}
