// Packages that stand within the page, as `upk page FILES` writes them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { badge, command, launch, openPage, openSample, opened, root, saved } from "./browser.mjs";

let browser, folder, bytes;
before(async () => {
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), "page-embedded-"));
  const { page, context } = await openPage(browser);
  await openSample(page);
  ({ bytes } = await saved(page, () => page.click("button:has-text('Save')")));
  await context.close();
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** The page with elements before its module, as the command puts them there. */
function pageWith(name, elements) {
  const page = readFileSync(join(root, "dist/page.html"), "utf8");
  const at = page.indexOf('<script type="text/plain" id="module">');
  assert.ok(at > 0);
  const file = join(folder, name);
  writeFileSync(file, page.slice(0, at) + elements + page.slice(at));
  return pathToFileURL(file).href;
}
const element = (path, bytes) => `<script type="application/octet-stream" data-path="${path}">${Buffer.from(bytes).toString("base64")}</script>\n`;

test("a page opens with the package in it, at the object that it names", { timeout: 90_000 }, async () => {
  const elements = `<meta name="farchive-place" content="#Courtyard.utx/path:Walls.Fence">\n${element("Courtyard.utx", bytes)}`;
  const { page, context, seen } = await openPage(browser, { url: pageWith("one.html", elements) });
  await opened(page);
  await page.waitForFunction(() => document.querySelector(".details-head h2")?.textContent === "Fence");
  assert.match(await badge(page), /Rebuilt byte for byte/);
  assert.deepEqual((await saved(page, () => page.click("button:has-text('Save')"))).bytes, bytes);
  // What was in the page is not kept twice.
  assert.equal(await page.locator("script[data-path]").count(), 0);
  assert.deepEqual(seen.console, []);
  assert.deepEqual(seen.requests, []);
  await context.close();
});

test("many packages in a page are a tree, by their folders; names are text and nothing else", { timeout: 90_000 }, async () => {
  const name = "Mine&quot;&gt;&lt;script&gt;&lt;b id=planted&gt;.utx";
  const elements = Array.from({ length: 11 }, (_, at) => element(`Game/Part${at}/Wall.utx`, bytes)).join("") + element(`Game/${name}`, bytes);
  const { page, context, seen } = await openPage(browser, { url: pageWith("many.html", elements) });
  await page.waitForSelector("#files .row .label");
  assert.equal(await page.textContent("#workspace h2"), "Game");
  const labels = await page.locator("#files .row .label").allTextContents();
  assert.equal(labels.length, 13);
  assert.equal(labels.at(-1), 'Mine"><script><b id=planted>.utx');
  assert.equal(await page.locator("#planted").count(), 0);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("a package whose text in the page is damaged is named, and the others open", { timeout: 90_000 }, async () => {
  const damaged = '<script type="application/octet-stream" data-path="Game/Broken.utx">%%%</script>\n';
  const alone = await openPage(browser, { url: pageWith("damaged.html", damaged) });
  assert.match(await alone.page.textContent(".notice.bad"), /Game\/Broken\.utx.*damaged/);
  assert.ok(await alone.page.locator("[data-sample]").count() > 0);
  await alone.context.close();
  const { page, context, seen } = await openPage(browser, { url: pageWith("half.html", damaged + element("Courtyard.utx", bytes)) });
  await opened(page);
  assert.match(await page.textContent(".notice.bad"), /Game\/Broken\.utx/);
  assert.equal(await page.evaluate(() => window.page.doc().name), "Courtyard.utx");
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("of several packages in a page the one that the address names is shown", { timeout: 90_000 }, async () => {
  const elements = `<meta name="farchive-place" content="#Wall2.utx/path:Walls.Fence">\n${[1, 2, 3].map((number) => element(`Wall${number}.utx`, bytes)).join("")}`;
  const { page, context } = await openPage(browser, { url: pageWith("several.html", elements) });
  await page.waitForFunction(() => document.querySelector(".details-head h2")?.textContent === "Fence");
  assert.equal(await page.evaluate(() => window.page.doc().name), "Wall2.utx");
  await context.close();
});

test("the command's own file opens with the package, and says where it can't", { skip: command ? false : "the command upk is not built", timeout: 90_000 }, async () => {
  const file = join(folder, "Courtyard.utx");
  const out = join(folder, "out.html");
  writeFileSync(file, bytes);
  const report = JSON.parse(execFileSync(command, ["page", file, "Ambient.Bell", "-o", out, "--page", join(root, "dist/page.html"), "--json"], { encoding: "utf8" }));
  assert.deepEqual([report.files, report.opened, report.bytes], [1, false, readFileSync(out).length]);
  const { page, context, seen } = await openPage(browser, { url: pathToFileURL(out).href });
  await page.waitForFunction(() => document.querySelector(".details-head h2")?.textContent === "Bell");
  assert.match(await badge(page), /Rebuilt byte for byte/);
  assert.deepEqual(seen.console, []);
  await context.close();
});
