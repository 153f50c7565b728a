// Files that were dropped or chosen, sorted to each other.

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
  /** What belongs to no package, with the reason. */
  notes: string[];
}

const CONTAINERS = /\.(pak|utoc|ucas|sig)$/;
const BULK = [".m.ubulk", ".ubulk", ".uptnl", ".upayload"];

/** The name without its ending, for comparing. */
function stem(name: string, ending: string): string {
  return name.slice(0, name.length - ending.length).toLowerCase();
}

/** Packages with what belongs to them; the last mappings count for all of them. */
export function sortFiles(files: File[]): Sorted {
  const groups: Group[] = [];
  const rest: { file: File; ending: string }[] = [];
  const containers: File[] = [];
  let mappings: File | undefined;
  for (const file of files) {
    const lower = file.name.toLowerCase();
    const ending = [".uexp", ...BULK].find((ending) => lower.endsWith(ending));
    if (lower.endsWith(".usmap")) mappings = file;
    else if (CONTAINERS.test(lower)) containers.push(file);
    else if (ending) rest.push({ file, ending });
    else groups.push({ name: file.name, header: file, beside: [] });
  }
  const notes: string[] = [];
  for (const { file, ending } of rest) {
    const own = stem(file.name, ending);
    const group = groups.find((group) =>
      [".uasset", ".umap"].some((end) => group.name.toLowerCase().endsWith(end) && stem(group.name, end) === own));
    if (!group) notes.push(`${file.name} belongs to ${file.name.slice(0, -ending.length)}.uasset: drop both together.`);
    else if (ending === ".uexp") group.bodies = file;
    else group.beside.push(file);
  }
  const tables = containers.filter((file) => /\.(pak|utoc)$/i.test(file.name)).map((file) => stem(file.name, file.name.match(/\.\w+$/)![0]));
  for (const file of containers) {
    const table = file.name.toLowerCase().replace(/(_s\d+)?\.ucas$/, "");
    if (/\.ucas$/i.test(file.name) && !tables.includes(table)) notes.push(`${file.name} belongs to ${file.name.replace(/(_s\d+)?\.ucas$/i, "")}.utoc: drop both together.`);
  }
  for (const group of groups) group.mappings = mappings;
  if (mappings && groups.length === 0 && tables.length === 0) notes.push(`${mappings.name} is kept for packages that are opened from now on.`);
  return { groups, mappings, containers: tables.length ? containers : [], notes };
}

/** The files of a drop, those in folders among them. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null && entry !== undefined);
  if (entries.length === 0) return [...transfer.files];
  const files: File[] = [];
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (entry.isFile) {
      files.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
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
