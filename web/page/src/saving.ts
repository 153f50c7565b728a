// Saving a package: to the file that its owner chose, where the browser lets pages write, else as downloads.

import type { Doc } from "./doc";
import { grouped } from "./dom";
import { download } from "./tabs";

type Picker = (options: object) => Promise<FileSystemFileHandle>;

/** Saves the files of a package; what was written, or nothing where the user has thought better of it. */
export async function saveFiles(doc: Doc): Promise<string | undefined> {
  const files = await doc.save();
  const pick = (window as { showSaveFilePicker?: Picker }).showSaveFilePicker;
  if (pick && files.length === 1 && document.documentElement.dataset.download !== "yes") {
    const handle = await chosen(doc, pick);
    if (handle === "none") return undefined;
    if (handle) return writeTo(doc, handle, files[0]);
  }
  for (const file of files) download(file, file.name);
  return files.map((file) => `${file.name}, ${grouped(file.size)} bytes`).join(" and ");
}

/** Where it is written to; "none" where the user chose nothing. */
async function chosen(doc: Doc, pick: Picker): Promise<FileSystemFileHandle | "none" | undefined> {
  try {
    return (doc.handle ??= await pick({ suggestedName: doc.name }));
  } catch (error) {
    return (error as Error).name === "AbortError" ? "none" : undefined;
  }
}

async function writeTo(doc: Doc, handle: FileSystemFileHandle, file: File): Promise<string | undefined> {
  const there = doc.writtenAt === undefined ? undefined : await handle.getFile().catch(() => undefined);
  const question = `${handle.name} was written by another program since it was saved here. Replace it all the same?`;
  if (there && there.lastModified !== doc.writtenAt && !confirm(question)) return undefined;
  const writer = await handle.createWritable();
  await writer.write(file);
  await writer.close();
  doc.writtenAt = (await handle.getFile()).lastModified;
  return `${handle.name}, ${grouped(file.size)} bytes`;
}
