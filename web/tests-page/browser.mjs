// A browser with the page in it, for the tests.

import AxeBuilder from "@axe-core/playwright";
import assert from "node:assert/strict";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const here = dirname(fileURLToPath(import.meta.url));
export const root = dirname(here);
export const isQuick = process.env.PAGE_QUICK === "1";
export const corpus = process.env.UPK_CORPUS;
/** The command, where it is built. */
export const command = process.env.UPK ?? ["release", "debug"].map((folder) => join(process.env.CARGO_TARGET_DIR ?? join(root, "../target"), folder, "upk")).find(existsSync);
const PAGE = pathToFileURL(join(root, "dist/page.html")).href;
const ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--enable-precise-memory-info",
  // WebGL without a graphics card.
  "--enable-unsafe-swiftshader"];

/** A browser; `close` ends it. */
export async function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGS, env: { ...process.env, HOME: mkdtempSync(join(tmpdir(), "page-")) } });
}

/** The page, loaded and ready. What it writes to the console and asks the network for is collected. */
export async function openPage(browser, { url = PAGE, width = 1480, height = 920, theme = "light" } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, acceptDownloads: true });
  const page = await context.newPage();
  const seen = { console: [], requests: [] };
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) seen.console.push(message.text()); });
  page.on("pageerror", (error) => seen.console.push(String(error)));
  await page.goto(url);
  await page.waitForSelector("html[data-ready=yes]", { timeout: 60_000 });
  // Downloads instead of a dialog that only people can answer.
  await page.evaluate(() => { document.documentElement.dataset.download = "yes"; });
  page.on("dialog", (dialog) => dialog.accept());
  page.on("request", (request) => { if (!request.url().startsWith("blob:")) seen.requests.push(request.url()); });
  await page.route("**", (route) => route.abort());
  return { page, context, seen };
}

/** Gives files to the page as its user would: paths, or { name, buffer }. */
export async function choose(page, files) {
  const list = (Array.isArray(files) ? files : [files]).map((file) =>
    typeof file === "string" ? file : { name: file.name, mimeType: "application/octet-stream", buffer: Buffer.from(file.buffer) });
  await page.setInputFiles("#chooser", list);
}

/** Waits until something is open, and drawn. */
export async function opened(page) {
  await page.waitForSelector("#tree .row .label", { timeout: 60_000 });
}

/** Waits for the badge's verdict; its text. */
export async function badge(page, timeout = 120_000) {
  // Text and colour at one moment: it may begin anew in between.
  const text = await page.waitForFunction(() => document.querySelector("#badge.good, #badge.bad")?.textContent, null, { timeout });
  return text.jsonValue();
}

/** One of the samples, opened. */
export async function openSample(page, name = "Courtyard.utx") {
  await page.click(`[data-sample="${name}"]`);
  await opened(page);
}

/** The file that a click lets the browser save. */
export async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  const stream = await download.createReadStream();
  const parts = [];
  for await (const part of stream) parts.push(part);
  return { name: download.suggestedFilename(), bytes: Buffer.concat(parts) };
}

/** No violation that axe knows. */
export async function accessible(page, where) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const said = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).slice(0, 3).join(", ")}`);
  assert.deepEqual(said, [], `axe finds violations in ${where}`);
}

/** Asks the current package's worker something. */
export function ask(page, op, rest = {}) {
  return page.evaluate(([op, rest]) => window.page.doc().get(op, rest), [op, rest]);
}

/** The actors of the level that is open: row, path, place. */
export function actors(page) {
  return page.evaluate(async () => {
    const { value: { names, unplaced }, bytes } = await window.page.doc().ask("level-map");
    const count = bytes.byteLength / 36;
    const places = new Float64Array(bytes, 0, count * 3);
    const [rows, , ends] = [0, 1, 2].map((list) => new Uint32Array(bytes, count * (24 + list * 4), count));
    return [...rows].map((row, at) => [row, names.slice(at > 0 ? ends[at - 1] : 0, ends[at]), unplaced.includes(at) ? null : [...places.slice(at * 3, at * 3 + 3)]]);
  });
}
