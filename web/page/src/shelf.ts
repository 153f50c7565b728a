// What is open: packages with their files, the tree of those that are not, what waits for its package.

import { announce, button } from "./dom";
import type { ContainerSet } from "./containers";
import { Doc } from "./doc";
import { Failure } from "./engine";
import { isPackageName, ownerOf, sortFiles } from "./files";
import type { Group } from "./files";
import { labelFor } from "./places";
import { Provers } from "./provers";
import { Workspace } from "./workspace";
import type { State } from "./workspace";


/** A worker that is asked nothing for so many pauses, of milliseconds, has answered what was wanted first. */
const PAUSES = 3;
const PAUSE = 15;

/** A package whose worker ends more often is closed. */
const MOST_CRASHES = 3;

/** Packages given together that are more are a tree: each that is open has a worker. */
const MOST_OPENED = 8;

/** Packages whose files are looked through for what an object needs of others. */
const MOST_AT_HAND = 5_000;

/** What the shelf asks of the page. */
export interface ShelfHost {
  /** The package that is looked at. */
  readonly current: Doc | undefined;
  /** The package that the address names, and that is not open yet. */
  readonly awaitedName: string | undefined;
  show(doc: Doc): void;
  showWorkspace(): void;
  /** This was closed; it is the one that was looked at, or not. */
  gone(doc: Doc): void;
  /** The tree of files was closed. */
  listGone(): void;
  proved(doc: Doc): void;
  /** Whether text was typed in its views that is stored nowhere. */
  hasTyped(doc: Doc): boolean;
  note(...content: (Node | string)[]): void;
  clearNotes(): void;
  fail(error: unknown, about?: string): void;
  compare(old: Doc): void;
}

export class Shelf {
  docs: Doc[] = [];
  workspace: Workspace | undefined;
  readonly provers: Provers;
  /** Packages that could not be opened, and why: a file that they lack may come. */
  private failed = new Map<Group, string>();
  /** Files whose package may come. */
  private waiting: File[] = [];
  private mappings: File | undefined;
  /** How packages are read that came with the page. */
  private readonly readings = new WeakMap<File, { game: string; release: string }>();

  constructor(private host: ShelfHost) {
    this.provers = new Provers(() => host.current, (doc) => host.proved(doc));
  }

  docOf(group: Group): Doc | undefined {
    return this.docs.find((doc) => doc.group === group);
  }

  /**
   * The files of packages that are open or in the tree. Of two files of one name, `Skins.int` and `Skins.utx`, the later one is
   * taken: packages that are open stand last, before them what is called like a package. What could not be opened is none.
   */
  filesAtHand(): File[] {
    const open = new Set(this.docs.map((doc) => doc.group));
    const listed = (this.workspace?.groups() ?? []).filter((group) => !open.has(group) && !this.failed.has(group));
    const [packages, others] = [listed.filter(({ name }) => isPackageName(name)), listed.filter(({ name }) => !isPackageName(name))];
    const groups = [...open, ...packages, ...others].slice(0, MOST_AT_HAND).reverse();
    return groups.flatMap(({ header, bodies, beside }) => [header, ...(bodies ? [bodies] : []), ...beside]);
  }

  /** Opens the files that came with the page. */
  async openGiven(files: File[], reading: { game: string; release: string }): Promise<void> {
    for (const file of files) this.readings.set(file, reading);
    await this.open(files);
  }

  /** Opens files; those that belong together as one package. Files that open packages lack join these. */
  async open(files: File[]): Promise<void> {
    this.host.clearNotes();
    const before = [...new Set([...this.docs.map((doc) => doc.group), ...this.failed.keys(), ...this.workspace?.groups() ?? []])];
    // Sorting gives files to packages that are open: where one can't be read with them, it has its former ones again.
    const former = new Map(before.map((group) => [group, { mappings: group.mappings, bodies: group.bodies, beside: group.beside }]));
    const sorted = sortFiles([...this.waiting, ...files], before, this.mappings);
    const { groups, mappings, containers, joined, notes } = sorted;
    const announced = new Set(this.waiting);
    this.waiting = sorted.waiting;
    for (const file of this.waiting.filter((file) => !announced.has(file))) {
      this.host.note(`${file.name} belongs to ${ownerOf(file)}: it is kept until that is opened.`);
    }
    for (const note of notes) this.host.note(note);
    if (mappings) this.mappings = mappings;
    const again = mappings ? before.filter((group) => this.wants(group, mappings)) : [];
    await this.readAgain(new Set([...joined, ...again]), former);
    if (mappings && groups.length === 0 && containers.length === 0 && again.length === 0) {
      this.host.note(`${mappings.name} is kept for packages that are opened from now on.`);
    }
    if (groups.length > MOST_OPENED || containers.length) await this.list(groups.length > MOST_OPENED ? groups : [], containers);
    if (groups.length <= MOST_OPENED) await this.openGroups(groups);
    if (containers.length && groups.length && groups.length <= MOST_OPENED) this.host.showWorkspace();
  }

  /** Adds packages and containers to the tree. */
  private async list(groups: Group[], containers: File[]): Promise<void> {
    const workspace = this.workspace ?? new Workspace(this);
    if (groups.length) workspace.addPackages(groups);
    try {
      if (containers.length) await workspace.addContainers(containers);
    } catch (error) {
      this.host.fail(error);
    }
    if (workspace.isEmpty) return;
    this.workspace = workspace;
    this.host.showWorkspace();
  }

  /** The worker of containers has ended. */
  lost(workspace: Workspace, set: ContainerSet, message: string): void {
    this.host.fail(new Failure(message, "It is closed now; please report this file.", "crash"), set.name);
    workspace.dropSet(set);
    if (workspace !== this.workspace || !workspace.isEmpty) return;
    this.closeWorkspace();
    this.host.listGone();
  }

  closeWorkspace(): void {
    this.workspace?.close();
    this.workspace = undefined;
  }

  /** Gives mappings to a package that may be read with them; whether it has to be read again. */
  private wants(group: Group, mappings: File): boolean {
    group.mappings = mappings;
    return this.docOf(group)?.summary.unversioned ?? this.failed.has(group);
  }

  /** Packages whose files have become more are read once more, with the changes that were made. */
  private async readAgain(groups: Set<Group>, former: Map<Group, Partial<Group>>): Promise<void> {
    for (const group of groups) {
      const doc = this.docOf(group);
      if (doc) await this.readOr(doc, () => Object.assign(group, former.get(group)));
      else if (this.failed.delete(group)) await this.openGroups([group]);
    }
  }

  /** Reads an open package once more; where that fails, `restore` brings back how it was read before, and it is read like that. */
  private async readOr(doc: Doc, restore: () => void): Promise<void> {
    try {
      await this.readOnce(doc);
    } catch (error) {
      this.host.fail(error, doc.name);
      restore();
      await this.readOnce(doc).catch((error: unknown) => {
        this.host.fail(error, doc.name);
        this.drop(doc);
      });
    }
  }

  private async readOnce(doc: Doc): Promise<void> {
    await doc.recover();
    this.watch(doc);
    if (doc === this.host.current) this.host.show(doc);
    this.prove(doc);
  }

  /** Opens a package of the tree, or goes to it where it is open. */
  async openListed(group: Group): Promise<void> {
    const doc = this.docOf(group);
    if (doc) return this.host.show(doc);
    this.host.clearNotes();
    await this.openGroups([group]);
  }

  stateOf(group: Group): State {
    const doc = this.docOf(group);
    if (doc) return { name: doc.isUnsaved ? "changed" : "open" };
    const reason = this.failed.get(group);
    return reason === undefined ? { name: "" } : { name: "failed", reason };
  }

  fail(error: unknown, about?: string): void {
    this.host.fail(error, about);
  }

  private async openGroups(groups: Group[]): Promise<void> {
    const opened: Doc[] = [];
    for (const group of groups) {
      group.mappings ??= this.mappings;
      const doc = new Doc(group);
      Object.assign(doc, this.readings.get(group.header));
      try {
        await this.watch(doc).open();
        doc.label = labelFor(doc.name, this.docs.map(({ label }) => label));
        this.docs.push(doc);
        this.failed.delete(group);
        opened.push(doc);
      } catch (error) {
        doc.close();
        this.host.fail(error, group.name);
        this.failed.set(group, (error as Error).message);
      }
    }
    if (opened.length) {
      this.host.show(opened.find(({ label }) => label === this.host.awaitedName) ?? opened[0]);
      if (opened.length === 2 && groups.length === 2) this.host.note("Two packages. ", button("Compare them", () => { this.host.clearNotes(); this.host.compare(opened[0]); }, { class: "link" }));
    }
    for (const doc of opened) void this.proveAfterwards(doc);
  }

  /** What one wants to see comes first, whatever it takes: reading a package twice at the same time would hold that up. */
  private async proveAfterwards(doc: Doc): Promise<void> {
    for (let pause = 0; pause < PAUSES; pause++) {
      // An answer leads to the next request.
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      await doc.engine.idle();
    }
    this.prove(doc);
  }

  /** Whatever happens to its worker, the page goes on. */
  private watch(doc: Doc): Doc {
    doc.engine.onCrash = (message) => {
      if (!this.docs.includes(doc)) return;
      doc.crashes += 1;
      // What was looked at last may be what has ended it.
      doc.place = undefined;
      if (doc.crashes > MOST_CRASHES) {
        this.host.fail(new Failure(message, "It is closed now; please report this file.", "crash"), doc.name);
        return this.drop(doc);
      }
      this.host.fail(new Failure(message, "It was opened once more, with the changes that were made.", "crash"), doc.name);
      // What has ended it once is not rebuilt again.
      const wasProving = this.provers.isProving(doc);
      void doc.recover().then(() => {
        this.watch(doc);
        if (wasProving) doc.unproved = message;
        if (doc === this.host.current) this.host.show(doc);
        if (!wasProving) this.prove(doc);
      }).catch((error: unknown) => {
        this.host.fail(error, doc.name);
        this.drop(doc);
      });
    };
    return doc;
  }

  prove(doc: Doc): void {
    if (this.docs.includes(doc)) this.provers.add(doc);
  }

  /** Reads it as that of another game or release; as before where that fails. */
  reopen(doc: Doc, game: string, release: string): void {
    const before = { game: doc.game, release: doc.release };
    Object.assign(doc, { game, release });
    void this.readOr(doc, () => Object.assign(doc, before));
  }

  /** Closes it where its owner does not mind. */
  close(doc: Doc): void {
    const what = doc.isUnsaved ? "changes that are not saved" : this.host.hasTyped(doc) ? "text that was typed and is not stored" : undefined;
    if (what && !confirm(`${doc.name} has ${what}. Close it all the same?`)) return;
    this.drop(doc);
    announce(`${doc.name} is closed`);
  }

  /** It is open no more. */
  private drop(doc: Doc): void {
    doc.close();
    this.provers.drop(doc);
    this.docs = this.docs.filter((one) => one !== doc);
    this.host.gone(doc);
  }
}
