// Puts the page together: dist/page.html, one file, and dist/folder/, the same in parts.
// Usage: node bundle.mjs MODULE.wasm [--dev]

import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Bytes that the page may have when all its parts are compressed. */
const MOST = 2_500_000;
const here = dirname(fileURLToPath(import.meta.url));
const isQuick = process.argv.includes("--dev");
mkdirSync(join(here, "dist/folder"), { recursive: true });

/**
 * The module without its names and the standard library's debug information, smaller when it is compressed: functions that
 * are one generic function of several types stand side by side. Passes that inline or merge locals make the module smaller,
 * and what is compressed larger.
 */
function shrunk(from) {
  const to = join(here, "dist/module.wasm");
  const passes = ["--duplicate-function-elimination", "--vacuum", "--remove-unused-brs", "--optimize-instructions", "--precompute",
    "--remove-unused-names", "--merge-blocks", "--code-folding", "--simplify-locals-nostructure", "--vacuum", "--reorder-locals", "--rse",
    "--remove-unused-module-elements", "--duplicate-function-elimination", "--reorder-functions-by-name", "--strip-dwarf",
    "--strip-producers"];
  execFileSync(process.execPath, [join(here, "node_modules/binaryen/bin/wasm-opt"), from, ...passes, "-o", to], { stdio: "inherit" });
  return to;
}

/** Compressed with what suits code best, and a dictionary that holds the whole module. To be looked at, it is there sooner. */
function compressed(bytes) {
  if (isQuick) return gzipSync(bytes, { level: 1 });
  const filter = "preset=9e,lc=4,lp=0,pb=0,dict=12MiB";
  return execFileSync("xz", ["--format=xz", "--check=crc32", `--lzma2=${filter}`, "--stdout"], { input: bytes, maxBuffer: 1 << 28 });
}

const module = isQuick ? process.argv[2] : shrunk(process.argv[2]);

const common = { bundle: true, minify: true, write: false, target: "es2022", charset: "utf8", legalComments: "none" };
const output = async (options) => (await build({ ...common, ...options })).outputFiles[0].text;

/** What a licence asks for beside what is made of the library. */
const notice = (file) => /\/\*![^]*?\*\//.exec(readFileSync(join(here, "node_modules", file), "utf8"))[0];
const worker = await output({ entryPoints: [join(here, "page/src/worker.ts")], format: "iife" });
const script = (await output({
  entryPoints: [join(here, "page/src/main.ts")], format: "iife", define: { WORKER_CODE: JSON.stringify(worker), COMPRESSION: JSON.stringify(isQuick ? "gzip" : "xz") },
  banner: { js: notice("xz-decompress/dist/package/xz-decompress.js") },
})).replaceAll("</script", "<\\/script");
// three's licence asks for its text beside what is made of it.
const licence = readFileSync(join(here, "node_modules/three/LICENSE"), "utf8").trim();
const mesh = await output({
  entryPoints: [join(here, "page/src/mesh/viewer.ts")], format: "iife", globalName: "farchiveMesh",
  banner: { js: `/*! Drawn by three.js.\n${licence} */` },
});
const style = await output({ entryPoints: [join(here, "page/page.css")] });
const packed = compressed(readFileSync(module));

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = (scripts, styles) => [
  "default-src 'none'", `script-src ${scripts} 'wasm-unsafe-eval'`, `style-src ${styles}`, "worker-src blob:",
  "img-src data: blob:", "media-src blob:", "connect-src 'none'", "base-uri 'none'", "form-action 'none'",
].join("; ");

const template = readFileSync(join(here, "page/index.html"), "utf8");
const page = (parts) => template.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
const text = packed.toString("base64");
const packedMesh = compressed(mesh);
const all = [packed, packedMesh, gzipSync(script), gzipSync(style)].reduce((sum, part) => sum + part.length, 0);
if (all > MOST && !isQuick) throw new Error(`the page has ${all} bytes compressed, more than ${MOST}`);

writeFileSync(join(here, "dist/page.html"), page({
  policy: policy(`${hash(script)} ${hash(mesh)}`, hash(style)), style: `<style>${style}</style>`, script: `<script>${script}</script>`, module: text,
  mesh: packedMesh.toString("base64"),
}));
writeFileSync(join(here, "dist/folder/page.js"), script);
writeFileSync(join(here, "dist/folder/mesh.js"), mesh);
writeFileSync(join(here, "dist/folder/page.css"), style);
writeFileSync(join(here, "dist/folder/index.html"), page({
  policy: policy("'self'", "'self'"), style: `<link rel="stylesheet" href="page.css">`, script: `<script src="page.js"></script>`, module: text, mesh: "",
}));
const sizes = { module: readFileSync(module).length, "module, compressed": packed.length, script: script.length, meshes: mesh.length, "meshes, compressed": packedMesh.length, style: style.length, "all, compressed": all };
console.log(Object.entries(sizes).map(([name, size]) => `${name} ${size.toLocaleString("en-US")}`).join("; "), "bytes");
