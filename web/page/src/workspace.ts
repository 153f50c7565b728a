// Many packages, folders and containers: one tree, of which those packages are opened that one chooses.

import type { Listing } from "./bar";
import { ContainerSet } from "./containers";
import type { ContainedFile, ContainersHost } from "./containers";
import { announce, grouped, h, settled } from "./dom";
import { pathOf } from "./files";
import type { Group } from "./files";
import { FolderTree } from "./foldertree";
import type { FolderNode } from "./foldertree";
import { icon } from "./icons";
import { labelFor } from "./places";
import { VirtualRows } from "./virtual";

/** How it stands with a package: whether it is open, changed, could not be opened and why. */
export interface State {
  name: "" | "open" | "changed" | "failed";
  reason?: string;
}

/** What the tree asks of the page. */
export interface WorkspaceHost extends ContainersHost {
  /** Opens a package, or goes to it where it is open. */
  openListed(group: Group): Promise<void>;
  stateOf(group: Group): State;
  /** The worker of containers has ended. */
  lost(workspace: Workspace, set: ContainerSet, message: string): void;
}

/** A package that was given, or a file in a container; the package of that one as soon as it is taken out. */
interface Listed {
  path: string;
  group?: Group;
  file?: ContainedFile;
  set?: ContainerSet;
  /** Why it could not be taken out. */
  problem?: string;
}

type Row = FolderNode<Listed>;

/** A container as a folder of its files, which are read when it is opened. */
interface ContainerRow {
  set: ContainerSet;
  at: number;
}

export class Workspace implements Listing {
  readonly isUnsaved = false;
  readonly element: HTMLElement;
  /** What it was called: addresses of before mean it all the same. */
  readonly names = new Set<string>();
  sets: ContainerSet[] = [];
  private readonly tree = new FolderTree<Listed>();
  private readonly containers = new Map<Row, ContainerRow>();
  /** Sets whose files stand in the tree. */
  private readonly loaded = new Map<ContainerSet, Promise<void>>();
  /** Files that are being opened: a second click waits for the first. */
  private readonly opening = new Map<Listed, Promise<void>>();
  private readonly heading = h("h2", { tabindex: "-1" });
  private readonly facts = h("div", {});
  private readonly found = h("span", { class: "found", role: "status" });
  private readonly filter: HTMLInputElement;
  private readonly which: HTMLSelectElement;
  private readonly rows: VirtualRows<Row>;
  private made = 0;

  constructor(private host: WorkspaceHost) {
    this.rows = new VirtualRows<Row>({
      total: 0,
      load: async (from, count) => this.visibleRows.slice(from, from + count),
      draw: (element, row) => this.draw(element, row),
      choose: (row, at) => void this.choose(row, at),
      // The row itself: right after a folder was opened the list has not loaded it yet.
      key: (event, _, at) => this.key(event, this.visibleRows[at], at),
    }, "files", "Files");
    this.filter = h("input", {
      type: "search", class: "filter", placeholder: "Filter by path", "aria-label": "Filter by path", autocomplete: "off", spellcheck: false,
      oninput: settled(120, () => void this.apply()),
      onkeydown: (event: Event) => {
        if ((event as KeyboardEvent).key !== "ArrowDown") return;
        event.preventDefault();
        this.rows.element.focus();
      },
    });
    this.which = h("select", { "aria-label": "Which files", onchange: () => void this.apply() }, h("option", { value: "packages" }, "Packages"), h("option", { value: "all" }, "All files"));
    const columns = h("div", { class: "row columns", "aria-hidden": "true" }, h("span", {}, "File"), h("span", {}, "State"), h("span", { class: "number" }, "Bytes"), h("span", {}, "Stored"));
    this.element = h("section", { class: "pane workspace-pane", "aria-label": "Files", id: "workspace" },
      h("div", { class: "containers-head" }, this.heading, this.facts),
      h("div", { class: "listed" }, h("div", { class: "pane-head" }, this.filter, this.which, this.found), columns, this.rows.element));
  }

  get name(): string {
    const roots = this.tree.root.nodes;
    const [first] = roots;
    if (!first) return "Files";
    if (roots.length === 1) return first.name;
    const groups = this.groups();
    if (!this.sets.length && groups.every((group) => !pathOf(group.header).includes("/"))) return `${grouped(groups.length)} packages`;
    return `${first.name} and ${roots.length - 1} more`;
  }

  /** The packages in it that were given, or taken out of a container. */
  groups(): Group[] {
    return [...this.tree.files()].flatMap(({ file }) => file!.group ?? []);
  }

  /** Without a filter containers are seen that have not been read yet, and the folders that they are in. */
  private get visibleRows(): readonly Row[] {
    const stays = new Set<Row>();
    if (!this.filter.value.trim()) {
      for (const container of this.containers.keys()) {
        for (let node: Row | undefined = container; node && !stays.has(node); node = node.outer) stays.add(node);
      }
    }
    return this.tree.rows((node) => stays.has(node));
  }

  // What is in it.

  addPackages(groups: Group[]): void {
    for (const group of groups) {
      const path = pathOf(group.header);
      this.tree.add(path, { path, group });
    }
    this.changed();
  }

  async addContainers(files: File[]): Promise<void> {
    const set = new ContainerSet(files, this.made++, this.host);
    try {
      await set.open();
    } catch (error) {
      set.close();
      throw error;
    }
    this.sets.push(set);
    set.engine.onCrash = (message) => this.host.lost(this, set, message);
    this.facts.append(set.element);
    set.containers.forEach((_, at) => {
      const path = set.pathOf(at);
      const folder = this.tree.folderAt(path.slice(0, Math.max(path.lastIndexOf("/"), 0)));
      const name = labelFor(path.slice(path.lastIndexOf("/") + 1), folder.nodes.map(({ name }) => name));
      this.containers.set(folder.folder(name), { set, at });
    });
    set.onUnlocked = async () => {
      this.loaded.delete(set);
      await this.readOrSay(set);
      this.focus();
    };
    // Some have no packages at all.
    if (!set.isLocked && !this.groups().length && !this.sets.some(({ containers }) => containers.some((one) => one.packages))) this.which.value = "all";
    this.changed();
    // Alone it is what one wants to see.
    if (this.tree.root.nodes.every((node) => this.containers.get(node)?.set === set)) await this.readOrSay(set);
  }

  /** Takes containers out, whose worker has ended. */
  dropSet(set: ContainerSet): void {
    set.close();
    set.element.remove();
    this.sets = this.sets.filter((one) => one !== set);
    this.loaded.delete(set);
    for (const [node, container] of this.containers) {
      if (container.set !== set) continue;
      this.containers.delete(node);
      // Folders that only led to it go with it.
      for (let inner: Row | undefined = node; inner?.outer && (inner === node || inner.nodes.length === 0); inner = inner.outer) inner.outer.drop(inner);
    }
    this.changed();
  }

  get isEmpty(): boolean {
    return this.tree.root.nodes.length === 0;
  }

  /** Puts the files of containers below them, once. */
  private read(set: ContainerSet): Promise<void> {
    const under = this.loaded.get(set);
    if (under) return under;
    const reading = set.all().then((files) => {
      const nodes = new Map([...this.containers].filter(([, one]) => one.set === set).map(([node, { at }]) => [at, node]));
      // What was taken out of them before stays open under its row.
      const former = new Map([...this.tree.files()].flatMap(({ file }) => (file!.set === set ? [[file!.path, file!] as const] : [])));
      for (const node of nodes.values()) node.clear();
      for (const file of files) {
        const node = nodes.get(file.container);
        if (!node) continue;
        const path = `${node.path}/${file.path}`;
        const listed = former.get(path) ?? { path, set };
        former.delete(path);
        this.tree.add(file.path, Object.assign(listed, { file }), node);
      }
      this.tree.renew();
      if (this.containers.size === 1) for (const node of nodes.values()) this.tree.open(node);
      this.changed();
    });
    this.loaded.set(set, reading);
    // What has failed is tried again.
    reading.catch(() => this.loaded.delete(set));
    return reading;
  }

  /** The same; a failure is said, unless it was the end of the worker, which `lost` says. */
  private async readOrSay(set: ContainerSet): Promise<void> {
    try {
      await this.read(set);
    } catch (error) {
      if (this.sets.includes(set)) this.host.fail(error, set.name);
    }
  }

  private changed(): void {
    this.names.add(this.name);
    this.heading.textContent = this.name;
    this.which.hidden = this.sets.length === 0;
    const roots = this.tree.root.nodes.filter(({ isFolder }) => isFolder);
    this.show();
    if (roots.length === 1 && !this.containers.has(roots[0]) && this.tree.root.nodes.length === 1) this.tree.open(roots[0]);
    this.redraw();
  }

  /** What is looked for is in view, and the rest is not. */
  private show(): void {
    const text = this.filter.value.trim().toLowerCase();
    const takesAll = this.which.value === "all";
    this.tree.show(({ path, file }) => (takesAll || !file || file.package) && path.toLowerCase().includes(text), text !== "");
    const unread = text ? 0 : [...this.containers.values()].filter(({ set }) => !this.loaded.has(set))
      .reduce((sum, { set, at }) => sum + ((takesAll ? set.containers[at].files : set.containers[at].packages) ?? 0), 0);
    const count = this.tree.root.count + unread;
    this.found.textContent = this.counted(count);
  }

  private counted(count: number): string {
    const what = this.which.value === "all" && this.sets.length ? "file" : "package";
    return `${grouped(count)} ${what}${count === 1 ? "" : "s"}`;
  }

  private async apply(): Promise<void> {
    // What is not read yet may have it.
    if (this.filter.value.trim()) await Promise.all(this.sets.map((set) => this.readOrSay(set)));
    this.show();
    const [first] = this.visibleRows;
    const at = this.filter.value.trim() ? this.visibleRows.findIndex(({ isFolder }) => !isFolder) : 0;
    this.rows.active = first ? Math.max(at, 0) : 0;
    this.redraw();
  }

  /** How it stands with some of them may have changed. */
  redraw(): void {
    this.rows.reset({ total: this.visibleRows.length });
  }

  // Rows.

  private stateOf({ group, problem }: Listed): State {
    if (group) return this.host.stateOf(group);
    return problem ? { name: "failed", reason: problem } : { name: "" };
  }

  private draw(element: HTMLElement, node: Row | undefined): void {
    const state: State = node?.file ? this.stateOf(node.file) : { name: "" };
    const drawn = node ? `${node.path} ${this.tree.isOpen(node)} ${node.count} ${state.name} ${state.reason ?? ""}` : "";
    if (node && element.dataset.drawn === drawn) return;
    element.dataset.drawn = drawn;
    element.removeAttribute("aria-expanded");
    if (!node) return element.replaceChildren(h("span", { role: "gridcell", class: "pending" }, "\u2026"));
    element.setAttribute("aria-level", String(node.depth + 1));
    if (node.isFolder) element.setAttribute("aria-expanded", String(this.tree.isOpen(node)));
    const twisty = h("span", { class: node.isFolder ? `twisty ${this.tree.isOpen(node) ? "open" : ""}` : "twisty none", "aria-hidden": "true" });
    const isPackage = !node.isFolder && (node.file!.file?.package ?? true);
    const name = h("span", { role: "gridcell", class: "cell-name", title: node.path }, twisty, icon(this.iconOf(node)),
      h("span", { class: isPackage ? "label package" : "label" }, node.name));
    name.style.setProperty("--depth", String(Math.min(node.depth, 24)));
    const [bytes, stored] = this.sizesOf(node);
    element.replaceChildren(name,
      h("span", { role: "gridcell", class: `state state-${state.name || "none"}`, title: state.reason, "aria-label": state.name ? `State: ${state.name}` : undefined }, state.name),
      h("span", { role: "gridcell", class: "number", "aria-label": bytes === undefined ? undefined : `${grouped(bytes)} bytes` }, bytes === undefined ? "" : grouped(bytes)),
      // Why a package could not be opened stands in its row, not only where a pointer rests on it.
      h("span", { role: "gridcell", class: "muted", title: state.reason ?? stored }, state.reason ?? stored));
  }

  private iconOf(node: Row): string {
    if (this.containers.has(node)) return "exports";
    if (node.isFolder) return "package";
    return /\.(umap|unr|ut2|un2|ut3|udk)$/i.test(node.name) ? "level" : "object";
  }

  /** Its bytes, and how it is kept. */
  private sizesOf(node: Row): [number | undefined, string] {
    const container = this.containers.get(node);
    if (container) {
      const { size, packages, files, locked, error } = container.set.containers[container.at];
      const held = files === undefined ? error ?? "" : `${grouped(packages ?? 0)} packages among ${grouped(files)} files`;
      return [size, locked ? "encrypted" : held];
    }
    if (node.isFolder) return [undefined, this.counted(node.count)];
    const { group, file } = node.file!;
    if (file) return [file.size, [file.method ? `${file.method}, ${grouped(file.stored)}` : "stored", file.encrypted ? "encrypted" : "", file.deleted ? "deleted" : ""].filter(Boolean).join(", ")];
    const beside = [group!.bodies, ...group!.beside].filter((one): one is File => one !== undefined);
    return [beside.reduce((sum, one) => sum + one.size, group!.header.size), beside.map((one) => one.name.slice(one.name.indexOf("."))).join(", ")];
  }

  private async choose(node: Row, at: number): Promise<void> {
    if (node.isFolder) return this.toggle(node, at);
    const listed = node.file!;
    const opening = this.opening.get(listed) ?? this.open(listed).finally(() => this.opening.delete(listed));
    this.opening.set(listed, opening);
    await opening;
    this.redraw();
  }

  private async open(listed: Listed): Promise<void> {
    try {
      listed.group ??= await listed.set?.take(listed.file!);
      listed.problem = undefined;
    } catch (error) {
      listed.problem = (error as Error).message;
      this.host.fail(error, listed.path);
    }
    if (listed.group) await this.host.openListed(listed.group);
  }

  private async toggle(node: Row, at: number): Promise<void> {
    const container = this.containers.get(node);
    const isOpen = !this.tree.isOpen(node);
    if (container && isOpen) {
      try {
        await this.read(container.set);
      } catch (error) {
        return this.sets.includes(container.set) ? this.host.fail(error, node.name) : undefined;
      }
    }
    if (isOpen) this.tree.open(node);
    this.tree.set(node, isOpen);
    this.rows.active = at;
    this.redraw();
    announce(`${node.name}, ${isOpen ? "open" : "closed"}`);
  }

  private key(event: KeyboardEvent, node: Row | undefined, at: number): void {
    if (!node) return;
    if (event.key === "ArrowRight" && node.isFolder) {
      event.preventDefault();
      if (!this.tree.isOpen(node)) void this.toggle(node, at);
      else if (this.visibleRows[at + 1]?.outer === node) this.rows.activate(at + 1);
    } else if (event.key === "ArrowLeft") {
      event.preventDefault();
      if (node.isFolder && this.tree.isOpen(node)) void this.toggle(node, at);
      else if (node.outer?.outer) this.rows.activate(this.visibleRows.indexOf(node.outer));
    } else if (event.key.length === 1 && /\S/.test(event.key)) this.filter.focus();
  }

  focusFilter(): void {
    this.filter.focus();
  }

  focus(): void {
    const locked = this.sets.find(({ isLocked }) => isLocked);
    if (locked) locked.focusKey();
    else this.rows.element.focus();
  }

  close(): void {
    for (const set of this.sets) set.close();
  }
}
