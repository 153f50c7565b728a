// The panes: dividers, bytes that are hidden, two panes where there is no room for three, one on a phone.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, badge, launch, openPage, openSample, root } from "./browser.mjs";

const pictures = process.env.PAGE_PICTURES ?? join(root, "dist/pictures");
mkdirSync(pictures, { recursive: true });
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const width = (page, id) => page.evaluate((id) => document.getElementById(id).closest(".pane").getBoundingClientRect().width, id);
const seen = (page) => page.evaluate(() => ["tree", "details-panel", "hex"].filter((id) => document.getElementById(id).offsetParent !== null));
const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

test("dividers move by pointer and keys, and are where they were next time", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page);
  const before = [await width(page, "tree"), await width(page, "details-panel"), await width(page, "hex")];
  const divider = await page.locator("#divider-0").boundingBox();
  await page.mouse.move(divider.x + 2, divider.y + 200);
  await page.mouse.down();
  await page.mouse.move(divider.x + 152, divider.y + 200, { steps: 5 });
  await page.mouse.up();
  const dragged = [await width(page, "tree"), await width(page, "details-panel"), await width(page, "hex")];
  assert.ok(Math.abs(dragged[0] - before[0] - 150) < 12, `${before} ${dragged}`);
  assert.ok(Math.abs(dragged[2] - before[2]) < 6, "the third pane stays");
  await page.focus("#divider-1");
  await page.keyboard.press("ArrowLeft");
  assert.ok(await width(page, "hex") > dragged[2]);
  // As far as it goes, and no pane is lost.
  for (let count = 0; count < 60; count++) await page.keyboard.press("ArrowLeft");
  assert.ok(await width(page, "details-panel") > 100);
  await page.keyboard.press("Home");
  assert.ok(Math.abs(await width(page, "tree") - before[0]) < 6);
  await page.keyboard.press("ArrowRight");
  const kept = await width(page, "hex");
  await page.unroute("**");
  await page.reload();
  await page.waitForSelector("html[data-ready=yes]");
  await openSample(page);
  assert.ok(Math.abs(await width(page, "hex") - kept) < 3);
  await context.close();
});

test("bytes are hidden, and come when they are asked for", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page);
  await page.click("#hide-bytes");
  assert.deepEqual(await seen(page), ["tree", "details-panel"]);
  await accessible(page, "bytes hidden");
  await page.keyboard.press("Control+f");
  assert.deepEqual(await seen(page), ["tree", "details-panel", "hex"]);
  assert.equal(await page.textContent("#hide-bytes"), "Hide bytes");
  await context.close();
});

test("two panes from 800 pixels on, one below", { timeout: 90_000 }, async () => {
  for (const [wide, high, objects, bytes] of [[1024, 700, ["tree", "details-panel"], ["tree", "hex"]], [800, 600, ["tree", "details-panel"], ["tree", "hex"]], [390, 780, ["tree"], ["hex"]]]) {
    const { page, context } = await openPage(browser, { width: wide, height: high });
    await openSample(page);
    await badge(page);
    assert.deepEqual(await seen(page), objects, String(wide));
    await page.click("#panes [data-pane=bytes]");
    assert.deepEqual(await seen(page), bytes, String(wide));
    assert.ok(await fits(page));
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(pictures, `panes-${wide}.png`) });
    await accessible(page, `bytes, ${wide}`);
    // Bars leave the height to what is looked at.
    const top = await page.evaluate(() => document.getElementById("hex").getBoundingClientRect().top);
    assert.ok(top < (wide < 500 ? 205 : 240), `${wide}: bytes begin at ${top}`);
    await context.close();
  }
});
