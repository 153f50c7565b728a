// Files that were dropped or chosen, sorted to each other.

const folders = new WeakMap<File, string>();

/** The path of a file below what was dropped; its name where it was chosen alone. */
export function pathOf(file: File): string {
  return folders.get(file) ?? (file.webkitRelativePath || file.name);
}

/** A file of which is known where it lies below what was given. */
export function placedFile(file: File, path: string): File {
  folders.set(file, path);
  return file;
}

/** The files of one package. */
export interface Group {
  name: string;
  header: File;
  bodies?: File;
  /** Bulk data and the like: stays where it is, what is shown of it is read. */
  beside: File[];
  mappings?: File;
  /** The objects of compiled code that its container knows, and the packages that it imports from. */
  scripts?: File[];
  imported?: string[];
}

export interface Sorted {
  groups: Group[];
  mappings: File | undefined;
  /** `.pak`, and `.utoc` with `.ucas`. */
  containers: File[];
  /** Files that belong to a package that is not there yet. */
  waiting: File[];
  /** Packages of before that have got a file that they lacked. */
  joined: Group[];
  /** What belongs to no package, with the reason. */
  notes: string[];
}

/** Endings of packages of all engines; games may have others. */
const PACKAGES = /\.(u|unr|utx|uax|umx|usx|ukx|ut2|ut3|un2|upk|udk|pcc|xxx|sfm|uasset|umap)$/i;

/** Whether a file is called as packages are. */
export function isPackageName(name: string): boolean {
  return PACKAGES.test(name);
}

const CONTAINERS = /\.(pak|utoc|ucas|sig)$/;
const BULK = [".m.ubulk", ".ubulk", ".uptnl", ".upayload"];

/** The path without its ending, for comparing. */
function stem(path: string, ending: string): string {
  return path.slice(0, path.length - ending.length).toLowerCase();
}

/** Whether a package is called like a file beside it, but for the ending. */
function owns(header: File, own: string): boolean {
  const path = pathOf(header);
  return [".uasset", ".umap"].some((end) => path.toLowerCase().endsWith(end) && stem(path, end) === own);
}

/** Gives a file to the package that it belongs to; what it replaces was there before. */
function join(group: Group, file: File, ending: string): void {
  if (ending === ".uexp") group.bodies = file;
  else group.beside = [...group.beside.filter((one) => one.name !== file.name), file];
}

/**
 * Packages with what belongs to them; the last mappings count for all of them. Companions that came alone join those of
 * `before`, in the same folder or, where they were chosen by themselves, of the same name.
 */
export function sortFiles(files: File[], before: Group[] = [], mappings?: File): Sorted {
  const groups: Group[] = [];
  const rest: { file: File; ending: string }[] = [];
  const containers: File[] = [];
  let given: File | undefined;
  for (const file of files) {
    const lower = file.name.toLowerCase();
    const ending = [".uexp", ...BULK].find((ending) => lower.endsWith(ending));
    if (lower.endsWith(".usmap")) given = file;
    else if (CONTAINERS.test(lower)) containers.push(file);
    else if (ending) rest.push({ file, ending });
    else groups.push({ name: file.name, header: file, beside: [] });
  }
  const notes: string[] = [];
  const waiting: File[] = [];
  const joined = new Set<Group>();
  for (const { file, ending } of rest) {
    const own = stem(pathOf(file), ending);
    const alone = own.slice(own.lastIndexOf("/") + 1);
    const group = groups.find((group) => owns(group.header, own));
    const earlier = group ? undefined : before.find((one) => owns(one.header, own)) ?? before.find((one) => owns(new File([], one.name), alone));
    if (group) join(group, file, ending);
    else if (earlier) {
      join(earlier, file, ending);
      joined.add(earlier);
    } else waiting.push(file);
  }
  const tables = containers.filter((file) => /\.(pak|utoc)$/i.test(file.name)).map((file) => stem(file.name, file.name.match(/\.\w+$/)![0]));
  for (const file of containers) {
    const table = file.name.toLowerCase().replace(/(_s\d+)?\.ucas$/, "");
    if (/\.ucas$/i.test(file.name) && !tables.includes(table)) notes.push(`${file.name} belongs to ${file.name.replace(/(_s\d+)?\.ucas$/i, "")}.utoc: drop both together.`);
  }
  for (const group of groups) group.mappings = given ?? mappings;
  return { groups, mappings: given, containers: tables.length ? containers : [], waiting, joined: [...joined], notes };
}

/** The package that a companion without one waits for. */
export function ownerOf(companion: File): string {
  return companion.name.replace(/(\.m)?\.\w+$/, ".uasset");
}

/** The files of a drop, those in folders among them. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null && entry !== undefined);
  if (entries.length === 0) return [...transfer.files];
  const files: File[] = [];
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      files.push(placedFile(file, entry.fullPath.replace(/^\//, "")));
    } else {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      for (;;) {
        const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
        if (some.length === 0) break;
        for (const one of some) await walk(one);
      }
    }
  };
  for (const entry of entries) await walk(entry);
  return files;
}
