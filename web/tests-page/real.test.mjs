// What is drawn of real packages where generated ones have nothing alike: thumbnails, bright textures, graphs within graphs.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { choose, corpus, launch, openPage } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** Files of the folder of real packages, or why there are none. */
const real = (...paths) => paths.map((path) => join(corpus ?? "", path));
const skips = (files) => (corpus && files.every(existsSync) ? false : "UPK_CORPUS names no folder with these packages");

async function open(page, file) {
  await choose(page, file);
  await page.waitForFunction((name) => window.page.doc()?.name === name, file.split("/").pop());
}

/** Red, green and blue on average. */
const mean = (page, selector) => page.locator(selector).evaluate((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const sum = [0, 0, 0];
  data.forEach((part, at) => { if (at % 4 < 3) sum[at % 4] += part; });
  return sum.map((part) => (part * 4) / data.length);
});

const textures = real("modern/241_0_T_COG_Underground_Console_Panel_Bits_N.uasset", "wild/modern/522_1004_NoNormalTexture.uasset", "modern/522_1004_NoNormalTexture.uasset").filter(existsSync);
test("thumbnails of UE4 and UE5 have the colours of their textures", { skip: textures.length ? false : "UPK_CORPUS names no folder with these packages", timeout: 90_000 }, async () => {
  const { page, context } = await openPage(browser);
  for (const file of textures) {
    await open(page, file);
    const asset = await page.evaluate(() => window.page.doc().summary.asset);
    await page.evaluate((key) => window.page.app.go(key, "picture"), asset);
    await page.waitForSelector("canvas.picture");
    await page.waitForSelector("canvas.thumbnail");
    // Maps of normals are blue.
    for (const which of ["canvas.picture", "canvas.thumbnail"]) {
      const [red, , blue] = await mean(page, which);
      assert.ok(blue > red + 40, `${file}, ${which}: ${red} ${blue}`);
    }
  }
  await context.close();
});

const bright = real("modern/451_0_daylight.uasset");
test("a texture whose colours have no bounds is shown, and saved as it is", { skip: skips(bright), timeout: 90_000 }, async () => {
  const { page, context } = await openPage(browser);
  await open(page, bright[0]);
  await page.evaluate(() => window.page.app.go("export:0", "picture"));
  await page.waitForSelector("canvas.picture");
  assert.match(await page.textContent(".details-body"), /512 by 256, .*its file holds more than a screen shows/);
  const [red] = await mean(page, "canvas.picture");
  assert.ok(red > 40 && red < 250, String(red));
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("[aria-label='Save its file']")]);
  assert.equal(download.suggestedFilename(), "daylight.hdr");
  await context.close();
});

const tree = real("modern/522_1008_BT_ROS2Agent.uasset");
const trees = existsSync(tree[0]) ? tree : real("wild/modern/522_1008_BT_ROS2Agent.uasset");
test("a tree is shown, not a graph within one of its nodes", { skip: skips(trees), timeout: 90_000 }, async () => {
  const { page, context } = await openPage(browser);
  await open(page, trees[0]);
  await page.evaluate(() => window.page.app.go("path:BT_ROS2Agent.Behavior Tree", "graph"));
  await page.waitForFunction(() => /^42 nodes, 30 wires/.test(document.querySelector(".map .found")?.textContent ?? ""));
  assert.ok(await page.locator("[aria-label=Graph] option").count() > 1);
  await context.close();
});

const moved = real("wild/classic/127_29_ZWNewShotgunAnim.ukx");
test("an animation that leads elsewhere stays in view", { skip: skips(moved), timeout: 90_000 }, async () => {
  const { page, context } = await openPage(browser, { theme: "dark" });
  await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "dark" });
  await open(page, moved[0]);
  await page.evaluate(() => window.page.app.go("export:1", "mesh"));
  await page.waitForSelector("#mesh[data-drawn]");
  /** Bright pixels in the middle half. */
  const bright = async () => {
    await page.waitForTimeout(300);
    const png = await page.locator("#mesh").screenshot();
    return page.evaluate(async (text) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], { type: "image/png" }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(bitmap.width / 4, bitmap.height / 4, bitmap.width / 2, bitmap.height / 2);
      return data.reduce((count, part, at) => count + Number(at % 4 === 0 && part > 100), 0);
    }, png.toString("base64"));
  };
  const rest = await bright();
  assert.ok(rest > 500, String(rest));
  await page.selectOption("#mesh-animation", "0");
  await page.locator("#mesh-time").evaluate((slider) => {
    slider.value = String(Number(slider.max) / 2);
    slider.dispatchEvent(new Event("input"));
  });
  const playing = await bright();
  assert.ok(playing > 500, String(playing));
  // At rest it is where it was.
  await page.selectOption("#mesh-animation", "");
  assert.ok(Math.abs((await bright()) - rest) < 20);
  await context.close();
});

const animated = real("classic/684_194_BioD_Cat002_120TurretEnemies.pcc");
test("an animation plays on its bones", { skip: skips(animated), timeout: 180_000 }, async () => {
  const { page, context } = await openPage(browser);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page, animated[0]);
  await page.evaluate(() => window.page.app.go("path:BIOG_CBT_A.RPR.RPR_BRT_CB_Brute_CB_Idle", "animation"));
  await page.waitForSelector("#mesh[data-drawn]");
  assert.equal(await page.textContent("[role=tab][aria-selected=true]"), "Animation");
  assert.match(await page.textContent("#mesh-facts"), /63 bones/);
  assert.equal(await page.locator("#mesh-animation option:checked").textContent(), "CB_Idle");
  // Lines between bones, and no triangle but those of the ground.
  const lines = () => page.evaluate(() => Number(document.getElementById("mesh").dataset.drawn.split(" ")[1]));
  assert.ok(await lines() >= 62, `${await lines()} lines`);
  const shown = async () => {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    return (await page.locator("#mesh").screenshot()).toString("base64");
  };
  const first = await shown();
  await page.locator("#mesh-time").fill("1.0");
  assert.notEqual(await shown(), first, "the bones have not moved");
  await page.click("#mesh-play");
  await page.waitForFunction(() => Number(document.getElementById("mesh").dataset.time) > 1.1);
  await context.close();
});
