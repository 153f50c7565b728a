// Module and worker, which the build puts into the page.

import { XzReadableStream } from "xz-decompress";

import { fromBase64 } from "./base64";

declare const WORKER_CODE: string;

/** The worker's program. */
export const workerCode: string = WORKER_CODE;

/** How the page's parts are compressed: by xz, or, where it is built to be looked at, by what the browser undoes at once. */
declare const COMPRESSION: "xz" | "gzip";

/** What was compressed and written as text: browsers' own `gzip` would make it a third larger than xz. */
function unpacked(text: string): ReadableStream<Uint8Array> {
  const packed = new Blob(fromBase64(text)).stream();
  return COMPRESSION === "xz" ? new XzReadableStream(packed) : packed.pipeThrough(new DecompressionStream("gzip"));
}

/** The compressed module stands in the page as text; nothing is fetched. */
async function compile(): Promise<WebAssembly.Module> {
  const element = document.getElementById("module");
  const text = element?.textContent?.trim() ?? "";
  // Megabytes of text that are read once.
  element?.remove();
  return WebAssembly.compile(await new Response(unpacked(text)).arrayBuffer());
}

export const module = compile();

/** What the program that draws meshes gives. */
type MeshProgram = typeof import("./mesh/viewer");

let meshes: Promise<MeshProgram> | undefined;

/** The program that draws meshes, loaded when it is asked for. */
export function meshProgram(): Promise<MeshProgram> {
  meshes ??= loadMeshes();
  meshes.catch(() => { meshes = undefined; });
  return meshes;
}

/** In the single file it is a text, whose hash the content security policy has; in the folder a file beside the page. */
async function loadMeshes(): Promise<MeshProgram> {
  const script = document.createElement("script");
  const text = document.getElementById("mesh-program")?.textContent?.trim();
  if (text) {
    script.textContent = await new Response(unpacked(text)).text();
    document.head.append(script);
  } else {
    await new Promise<void>((resolve, reject) => {
      script.onload = () => resolve();
      script.onerror = () => reject(new Error("mesh.js, which lies beside the page, can't be loaded"));
      script.src = "mesh.js";
      document.head.append(script);
    });
  }
  const made = (window as { farchiveMesh?: MeshProgram }).farchiveMesh;
  if (!made) throw new Error("the program that draws meshes does not run here");
  return made;
}
