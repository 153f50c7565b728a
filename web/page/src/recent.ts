// Files that were opened before: their handles, where the browser hands them out and keeps them.

import { button, h } from "./dom";

/** What was opened at once: a package, often with its companions. */
export interface Recent { name: string; handles: FileSystemFileHandle[]; at: number }

type Picker = (options: object) => Promise<FileSystemFileHandle[]>;
/** Not in the library of types. */
interface Asking { requestPermission?(options: { mode: "read" }): Promise<PermissionState> }
interface Dropping { getAsFileSystemHandle?(): Promise<FileSystemHandle | null> }

const STORE = "recent";
/** Entries that are kept: the last ones. */
const MOST = 10;

/** A request of a database as a promise. */
function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const request = indexedDB.open("farchive", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "name" });
  const database = await settled(request);
  const transaction = database.transaction(STORE, mode);
  transaction.oncomplete = transaction.onabort = () => database.close();
  return transaction.objectStore(STORE);
}

/** What was opened before, the last first; none where the browser keeps nothing. */
export async function recentFiles(): Promise<Recent[]> {
  try {
    const all = await settled((await store("readonly")).getAll() as IDBRequest<Recent[]>);
    return all.sort((a, b) => b.at - a.at);
  } catch {
    return [];
  }
}

/** Keeps the handles of files that were opened together. */
export async function remember(handles: FileSystemFileHandle[]): Promise<void> {
  if (handles.length === 0) return;
  // Companions are called like their package; that is the one that is known.
  const first = handles.find(({ name }) => !/\.(uexp|ubulk|uptnl|usmap|ucas)$/i.test(name)) ?? handles[0];
  const name = handles.length === 1 ? first.name : `${first.name} and ${handles.length - 1} more`;
  try {
    await settled((await store("readwrite")).put({ name, handles, at: Date.now() }));
    const rest = (await recentFiles()).slice(MOST);
    for (const { name } of rest) await settled((await store("readwrite")).delete(name));
  } catch {
    // Private windows keep nothing.
  }
}

async function forget(name?: string): Promise<void> {
  const all = await store("readwrite");
  await settled(name === undefined ? all.clear() : all.delete(name));
}

/** Lets the user choose files with handles; undefined where the browser has no such dialog. */
export async function pickFiles(): Promise<File[] | undefined> {
  const pick = (window as { showOpenFilePicker?: Picker }).showOpenFilePicker;
  if (!pick) return undefined;
  try {
    const handles = await pick({ multiple: true });
    await remember(handles);
    return await Promise.all(handles.map((handle) => handle.getFile()));
  } catch (error) {
    return (error as Error).name === "AbortError" ? [] : undefined;
  }
}

/** Keeps the handles of files that are dropped; folders are too much. Must be called while they are. */
export function rememberDropped(transfer: DataTransfer): void {
  const asked = [...transfer.items].map((item) => (item as Dropping).getAsFileSystemHandle?.());
  void Promise.all(asked).then((handles) => {
    const files = handles.filter((handle): handle is FileSystemFileHandle => handle?.kind === "file");
    if (files.length === handles.length) return remember(files);
  }, () => {});
}

/** The files of an entry; the browser may ask whether the page may read them. */
async function filesOf({ handles }: Recent): Promise<File[]> {
  for (const handle of handles) {
    const state = await (handle as Asking).requestPermission?.({ mode: "read" });
    if (state === "denied") throw new Error(`${handle.name} may not be read: its user has refused that in the browser.`);
  }
  return Promise.all(handles.map((handle) => handle.getFile()));
}

/** The list for the page that is there before anything is open; empty until it is known, and where there is none. */
export function recentList(open: (files: File[]) => void, fail: (error: unknown, about: string) => void): HTMLElement {
  const section = h("section", { class: "recent", hidden: true });
  const draw = async (): Promise<void> => {
    const all = await recentFiles();
    section.hidden = all.length === 0;
    const take = (recent: Recent): void => void filesOf(recent).then(async (files) => {
      await remember(recent.handles);
      open(files);
    }).catch(async (error: unknown) => {
      // What was moved or removed is not offered again.
      if ((error as Error).name === "NotFoundError") await forget(recent.name);
      fail(error, recent.name);
      await draw();
    });
    section.replaceChildren(h("h3", {}, "Opened before"),
      h("ul", { class: "samples" }, ...all.map((recent) => h("li", {}, button(recent.name, () => take(recent), { class: "link", "data-recent": recent.name }),
        h("span", { class: "muted" }, ` ${new Date(recent.at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}`)))),
      h("p", {}, button("Clear the list", () => void forget().then(draw), { class: "quiet", id: "forget" })));
  };
  void draw();
  return section;
}
