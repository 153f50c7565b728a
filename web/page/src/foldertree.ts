// Files as a tree of the folders in their paths, and which rows of it are seen.

/** A folder, or what is like one: a container. A file has no nodes in it. */
export class FolderNode<T> {
  /** Files that are in it, at any depth, and that are seen. */
  count = 0;
  isOpen = false;
  /** How many folders it is in. */
  readonly depth: number;
  private inner: FolderNode<T>[] | undefined;
  private readonly folders = new Map<string, FolderNode<T>>();
  private isSorted = true;

  constructor(readonly name: string, readonly outer: FolderNode<T> | undefined, readonly file?: T) {
    if (file === undefined) this.inner = [];
    this.depth = outer ? outer.depth + 1 : -1;
  }

  get isFolder(): boolean {
    return this.inner !== undefined;
  }

  get path(): string {
    const names: string[] = [];
    for (let node: FolderNode<T> = this; node.outer; node = node.outer) names.push(node.name);
    return names.reverse().join("/");
  }

  /** What is in it: folders first, by names, numbers in them by their value. */
  get nodes(): readonly FolderNode<T>[] {
    if (!this.isSorted) {
      this.inner!.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || ORDER.compare(a.name, b.name));
      this.isSorted = true;
    }
    return this.inner ?? [];
  }

  /** The folder of that name in it. */
  folder(name: string): FolderNode<T> {
    const there = this.folders.get(name);
    if (there) return there;
    const made = new FolderNode<T>(name, this);
    this.folders.set(name, made);
    this.take(made);
    return made;
  }

  take(node: FolderNode<T>): void {
    this.inner!.push(node);
    this.isSorted = false;
  }

  drop(node: FolderNode<T>): void {
    this.inner = this.inner!.filter((one) => one !== node);
    if (this.folders.get(node.name) === node) this.folders.delete(node.name);
  }

  clear(): void {
    this.inner = [];
    this.folders.clear();
  }
}

const ORDER = new Intl.Collator("en", { numeric: true });

export class FolderTree<T> {
  readonly root = new FolderNode<T>("", undefined);
  private has: (file: T) => boolean = () => true;
  /** Folders that are closed while all that was found is shown; undefined where nothing is looked for. */
  private closed: Set<FolderNode<T>> | undefined;
  private visibleRows: FolderNode<T>[] | undefined;

  /** The folder of a path below another one, which need not be there yet. */
  folderAt(path: string, below: FolderNode<T> = this.root): FolderNode<T> {
    return path.split("/").reduce((folder, name) => (name ? folder.folder(name) : folder), below);
  }

  /** Adds a file by its path below a folder. */
  add(path: string, file: T, below: FolderNode<T> = this.root): FolderNode<T> {
    const at = path.lastIndexOf("/");
    const folder = this.folderAt(path.slice(0, Math.max(at, 0)), below);
    const node = new FolderNode(path.slice(at + 1), folder, file);
    folder.take(node);
    return node;
  }

  /** Shows the files that `has` says; all folders of these where they were looked for. */
  show(has: (file: T) => boolean, isSearch: boolean): void {
    this.has = has;
    this.closed = isSearch ? new Set() : undefined;
    this.renew();
  }

  /** Files were added or taken out. */
  renew(): void {
    this.tally();
    this.visibleRows = undefined;
  }

  private tally(): void {
    // Paths of containers may be as deep as their names are long: no call for each folder.
    const folders = [this.root];
    for (let at = 0; at < folders.length; at++) {
      folders[at].count = 0;
      for (const inner of folders[at].nodes) {
        if (inner.isFolder) folders.push(inner);
        else {
          inner.count = Number(this.has(inner.file!));
          folders[at].count += inner.count;
        }
      }
    }
    for (const folder of folders.reverse()) if (folder.outer) folder.outer.count += folder.count;
  }

  isOpen(node: FolderNode<T>): boolean {
    return this.closed ? !this.closed.has(node) : node.isOpen;
  }

  set(node: FolderNode<T>, isOpen: boolean): void {
    if (!this.closed) node.isOpen = isOpen;
    else if (isOpen) this.closed.delete(node);
    else this.closed.add(node);
    this.visibleRows = undefined;
  }

  /** Opens a folder, and those below that have nothing beside them. */
  open(node: FolderNode<T>): void {
    for (let one: FolderNode<T> | undefined = node; one?.isFolder;) {
      one.isOpen = true;
      const inner: FolderNode<T>[] = one.nodes.filter(({ isFolder, count }) => count > 0 || !isFolder);
      one = inner.length === 1 ? inner[0] : undefined;
    }
    this.visibleRows = undefined;
  }

  /** The nodes that are seen, one below the other. `stays` are folders that are seen even where nothing is in them. */
  rows(stays: (node: FolderNode<T>) => boolean = () => false): readonly FolderNode<T>[] {
    if (this.visibleRows) return this.visibleRows;
    const rows: FolderNode<T>[] = [];
    const rest = [...this.root.nodes].reverse();
    for (let node = rest.pop(); node; node = rest.pop()) {
      if (node.count === 0 && !(node.isFolder && stays(node))) continue;
      rows.push(node);
      if (!node.isFolder || !this.isOpen(node)) continue;
      for (let at = node.nodes.length - 1; at >= 0; at--) rest.push(node.nodes[at]);
    }
    return (this.visibleRows = rows);
  }

  /** All files, seen or not. */
  *files(): Generator<FolderNode<T>> {
    const rest: FolderNode<T>[] = [this.root];
    for (let node = rest.pop(); node; node = rest.pop()) {
      if (!node.isFolder) yield node;
      else for (const inner of node.nodes) rest.push(inner);
    }
  }
}
