// Module and worker, which the build puts into the page.

declare const WORKER_CODE: string;

/** The worker's program. */
export const workerCode: string = WORKER_CODE;

/** The compressed module stands in the page as text; nothing is fetched. */
async function compile(): Promise<WebAssembly.Module> {
  const text = document.getElementById("module")?.textContent?.trim() ?? "";
  const packed = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

export const module = compile();
