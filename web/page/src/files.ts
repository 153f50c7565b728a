// Files that were dropped or chosen, sorted to each other.

/** The files of one package. */
export interface Group {
  name: string;
  header: File;
  bodies?: File;
  /** Bulk data and the like: kept beside it, not read. */
  beside: File[];
  mappings?: File;
}

export interface Sorted {
  groups: Group[];
  mappings: File | undefined;
  /** What belongs to no package, with the reason. */
  notes: string[];
}

const BULK = [".m.ubulk", ".ubulk", ".uptnl", ".upayload"];

/** The name without its ending, for comparing. */
function stem(name: string, ending: string): string {
  return name.slice(0, name.length - ending.length).toLowerCase();
}

/** Packages with what belongs to them; the last mappings count for all of them. */
export function sortFiles(files: File[]): Sorted {
  const groups: Group[] = [];
  const rest: { file: File; ending: string }[] = [];
  let mappings: File | undefined;
  for (const file of files) {
    const lower = file.name.toLowerCase();
    const ending = [".uexp", ...BULK].find((ending) => lower.endsWith(ending));
    if (lower.endsWith(".usmap")) mappings = file;
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
  for (const group of groups) group.mappings = mappings;
  if (mappings && groups.length === 0) notes.push(`${mappings.name} is kept for packages that are opened from now on.`);
  return { groups, mappings, notes };
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
