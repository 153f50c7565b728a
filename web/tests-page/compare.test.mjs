// What lies beside packages is compared with them: bulk data as it was opened, and as it was changed.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, choose, corpus, launch, openPage, openSample, opened, saved } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** What two packages differ in, as the page says it: the chosen one is the new one. */
async function compared(page) {
  await page.click("button:has-text('Compare')");
  await page.waitForSelector(".details-body .verdict");
  return page.textContent(".details-body");
}
test("packages that differ in their bulk data alone", { timeout: 90_000 }, async () => {
  const sample = await openPage(browser);
  await openSample(sample.page, "DT_Weapons.uasset");
  const { bytes } = await saved(sample.page, () => sample.page.click("button:has-text('Save')"));
  await sample.context.close();
  for (const [other, says] of [["other bytes", /companion \.ubulk 11 bytes, [0-9a-f]{16} \u2192 11 bytes, [0-9a-f]{16}/], ["these bytes", /The files are the same/]]) {
    const { page, context, seen } = await openPage(browser);
    await choose(page, [{ name: "DT_Old.uasset", buffer: bytes }, { name: "DT_Old.ubulk", buffer: Buffer.from("these bytes") },
      { name: "DT_New.uasset", buffer: bytes }, { name: "DT_New.ubulk", buffer: Buffer.from(other) }]);
    await page.waitForFunction(() => window.page.app.docs.length === 2);
    assert.match(await compared(page), says);
    assert.deepEqual(seen.console, []);
    await context.close();
  }
});

const streaming = corpus && join(corpus, "modern-ue6/UE5_8_Tagged_T_Streaming.uasset");
test("bulk data that was changed counts, not that which the package was opened with", { skip: streaming && existsSync(streaming) ? false : "UPK_CORPUS names no folder of real packages", timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  const files = ["asset", "exp", "bulk"].map((end) => streaming.replace(/asset$/, end));
  await choose(page, files);
  await opened(page);
  const texture = (await ask(page, "tree", { from: 0, count: 100 })).rows.find(({ icon }) => icon.startsWith("Texture"));
  await page.evaluate((key) => window.page.app.go(key, "picture"), texture.key);
  await page.waitForSelector("canvas.picture");
  // Its colours turned around.
  const picture = await page.locator("canvas.picture").evaluate(async (canvas) => {
    const context = canvas.getContext("2d");
    const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
    pixels.data.forEach((part, at) => { if (at % 4 < 3) pixels.data[at] = 255 - part; });
    const turned = new OffscreenCanvas(canvas.width, canvas.height);
    turned.getContext("2d").putImageData(pixels, 0, 0);
    return [...new Uint8Array(await (await turned.convertToBlob({ type: "image/png" })).arrayBuffer())];
  });
  await page.setInputFiles(".details-pane [data-replace]", { name: "Turned.png", mimeType: "image/png", buffer: Buffer.from(picture) });
  await page.waitForFunction(() => window.page.doc().summary.changes?.done === 1);
  await page.click("button:has-text('Changes')");
  await page.waitForSelector(".changes");
  await page.waitForFunction(() => /companion \.ubulk/.test(document.querySelector(".details-body").textContent));
  // The same package once more: the one that was changed is the old one now.
  await choose(page, [{ name: "Again.uasset", buffer: readFileSync(files[0]) }, { name: "Again.uexp", buffer: readFileSync(files[1]) }, { name: "Again.ubulk", buffer: readFileSync(files[2]) }]);
  await page.waitForFunction(() => window.page.doc().name === "Again.uasset");
  assert.match(await compared(page), /companion \.ubulk/);
  assert.deepEqual(seen.console.filter((text) => !text.startsWith("Canvas2D")), []);
  await context.close();
});
