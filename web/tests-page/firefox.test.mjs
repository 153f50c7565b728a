// The same page in Firefox: it opens, shows pictures and maps, changes, saves, lists many files.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "./browser.mjs";
import { firefox, launchFirefox } from "./firefox.mjs";

const skip = firefox ? false : "there is no Firefox (FIREFOX, or apt-get install firefox-esr)";
let page;
before(async () => {
  if (!firefox) return;
  page = await launchFirefox(pathToFileURL(join(root, "dist/page.html")).href);
  await page.until(() => document.documentElement.dataset.ready === "yes");
  await page.evaluate(() => { document.documentElement.dataset.download = "yes"; });
});
after(() => page?.close());

const openSample = async (name) => {
  await page.evaluate((name) => window.page.app.openSample(name), name);
  await page.until((name) => window.page.doc()?.name === name && document.querySelector("#tree .row .label") !== null, name);
};

test("Firefox: a package is rebuilt byte for byte, its picture drawn, a change taken and taken back", { skip, timeout: 180_000 }, async () => {
  await openSample("Courtyard.utx");
  assert.match(await page.until(() => document.querySelector("#badge.good, #badge.bad")?.textContent), /Rebuilt byte for byte/);
  await page.evaluate(() => window.page.app.go("path:Walls.Bricks", "picture"));
  const colours = await page.until(() => {
    const canvas = document.querySelector("canvas.picture");
    if (!canvas?.width) return 0;
    return new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
  });
  assert.ok(colours > 2, `${colours} colours`);
  // The bytes are drawn as well.
  await page.until(() => document.querySelector("#hex canvas, .hex-canvas")?.width > 100);
  assert.equal(await page.evaluate(() => window.page.app.change({ do: "set", object: "Walls.Bricks", property: "UClamp", value: "64" })), true);
  const [changed, saved] = await page.evaluate(async () => [window.page.doc().isUnsaved, (await window.page.doc().save())[0].size]);
  assert.equal(changed, true);
  assert.ok(saved > 40_000);
  await page.evaluate(() => window.page.app.travel("undo"));
  assert.equal(await page.evaluate(() => window.page.doc().isUnsaved), false);
  assert.deepEqual(page.seen, []);
});

test("Firefox: a map and a graph are drawn, and the keys move in the tree", { skip, timeout: 180_000 }, async () => {
  await openSample("Yard.unr");
  await page.until(() => document.getElementById("map")?.dataset.view);
  const ink = await page.until(() => {
    const canvas = document.getElementById("map");
    return new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size > 3;
  });
  assert.equal(ink, true);
  await openSample("MF_Lamp.uasset");
  await page.evaluate(() => window.page.app.go("path:MF_Lamp", "graph"));
  await page.until(() => document.getElementById("graph")?.dataset.view);
  await page.evaluate(() => document.getElementById("tree").focus());
  const before = await page.evaluate(() => document.getElementById("tree").getAttribute("aria-activedescendant"));
  await page.press("\uE015");
  await page.until((before) => document.getElementById("tree").getAttribute("aria-activedescendant") !== before, before);
  assert.deepEqual(page.seen, []);
});

test("Firefox: many files are a tree", { skip, timeout: 180_000 }, async () => {
  await page.evaluate(async () => {
    await window.page.app.openSample("Courtyard.utx");
    const bytes = await (await window.page.doc().save())[0].arrayBuffer();
    await window.page.open(Array.from({ length: 20 }, (_, at) => new File([bytes], `Wall${at}.utx`)));
  });
  await page.until(() => document.querySelectorAll("#files .row .label").length > 10);
  await page.evaluate(() => document.querySelectorAll("#files .row")[3].click());
  await page.until(() => window.page.doc()?.name === "Wall3.utx");
  assert.deepEqual(page.seen, []);
});
