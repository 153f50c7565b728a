// Draws every glTF file that a folder's list.json names in headless Chromium with three.js, prints what was measured as JSON, and
// leaves a picture of each and sheet.png, with all of them.
// Usage: node render.mjs FOLDER, where MODULES names a folder with node_modules of playwright-core and three.

import { readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.argv[2];
const modules = join(process.env.MODULES, "node_modules");
const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(join(modules, "of.cjs"))("playwright-core");
const list = JSON.parse(readFileSync(join(folder, "list.json"), "utf8"));

const args = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync",
  // WebGL without a graphics card.
  "--enable-unsafe-swiftshader"];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args, env: { ...process.env, HOME: mkdtempSync(join(tmpdir(), "meshes-")) },
});
const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
let errors = [];
page.on("console", (message) => {
  const text = message.text();
  if (message.type() === "error" || (message.type() === "warning" && text.startsWith("THREE"))) errors.push(text);
});
page.on("pageerror", (error) => errors.push(String(error)));
page.on("requestfailed", (request) => errors.push(`${request.url()}: ${request.failure()?.errorText}`));

const imports = { three: "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/" };
const start = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports })}</script><script type="module" src="/page.mjs"></script>`;
await page.route("http://meshes.test/**", (route) => {
  const { pathname } = new URL(route.request().url());
  const [, place, ...rest] = pathname.split("/");
  if (place === "") return route.fulfill({ contentType: "text/html", body: start });
  if (place === "page.mjs") return route.fulfill({ contentType: "text/javascript", path: join(here, "render_page.mjs") });
  if (place === "three") return route.fulfill({ contentType: "text/javascript", path: join(modules, "three", ...rest) });
  return route.fulfill({ contentType: "model/gltf-binary", path: join(folder, ...rest) });
});
await page.goto("http://meshes.test/");
await page.waitForFunction(() => window.isReady, null, { timeout: 30_000 });

const measured = {};
const figures = [];
for (const { file, label, from } of list) {
  errors = [];
  const found = await page.evaluate(([file, from]) => window.measure(file, from), [file, from])
    .catch((error) => { errors.push(String(error)); return {}; });
  const { picture, ...numbers } = found;
  measured[file] = { ...numbers, errors };
  if (!picture) continue;
  writeFileSync(join(folder, file.replace(/glb$/, "png")), Buffer.from(picture.split(",")[1], "base64"));
  const size = numbers.max.map((most, axis) => (most - numbers.min[axis]).toPrecision(3)).join(" × ");
  const share = (100 * numbers.front / (numbers.front + numbers.back)).toFixed(1);
  figures.push(`<figure><img src="${picture}"><figcaption><b>${label}</b><br>${size} m<br>${numbers.triangles} triangles, ${numbers.bones} bones, ` +
    `${numbers.shapes} shapes, ${numbers.maps} textures, ${share} % front</figcaption></figure>`);
}
await page.setContent(`<style>body { display: grid; grid-template-columns: repeat(6, 1fr); gap: 6px; margin: 6px; font: 12px sans-serif }
  figure { margin: 0 } img { width: 100% } figcaption { overflow-wrap: anywhere }</style>${figures.join("")}`);
await page.screenshot({ path: join(folder, "sheet.png"), fullPage: true });
await browser.close();
process.stdout.write(JSON.stringify(measured));
