// Maps from above: drawn first, dragged, zoomed, clicked; the same actors as a list.

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

const view = (page) => page.evaluate(() => document.getElementById("map").dataset.view.split(" ").map(Number));
/** Where a place of the world is drawn, in pixels of the canvas. */
async function pixel(page, x, y) {
  const [cx, cy, scale] = await view(page);
  const { width, height } = await page.locator("#map").boundingBox();
  return { x: (x - cx) / scale + width / 2, y: (y - cy) / scale + height / 2 };
}
async function openYard(page) {
  await openSample(page, "Yard.unr");
  await page.waitForFunction(() => document.getElementById("map")?.dataset.view);
}

test("a map is drawn first, and a click chooses an actor", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openYard(page);
  assert.match(await page.textContent(".map .found"), /^20 actors, 20 with a place/);
  // Everything is in view.
  for (const [x, y] of [[-1024, -640], [1024, 640]]) {
    const at = await pixel(page, x, y);
    const { width, height } = await page.locator("#map").boundingBox();
    assert.ok(at.x >= 0 && at.x <= width && at.y >= 0 && at.y <= height, JSON.stringify(at));
  }
  await page.click("#map", { position: await pixel(page, 0, 400) });
  await page.waitForSelector("#actors .row.active:has-text('PlayerStart3')");
  // Once more opens it.
  await page.click("#map", { position: await pixel(page, 0, 400) });
  await page.waitForFunction(() => document.querySelector(".details-head h2")?.textContent === "PlayerStart3");
  await page.goBack();
  await page.waitForSelector("#map");
  assert.match(await badge(page), /Rebuilt byte for byte/);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("a map is dragged and zoomed by pointer and keys", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openYard(page);
  const before = await view(page);
  const box = await page.locator("#map").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 100);
  const under = async () => {
    const [cx, cy, scale] = await view(page);
    return [cx + (200 - box.width / 2) * scale, cy + (100 - box.height / 2) * scale];
  };
  const [x, y] = await under();
  await page.mouse.wheel(0, -100);
  await page.waitForFunction((scale) => Number(document.getElementById("map").dataset.view.split(" ")[2]) < scale, before[2]);
  const [nx, ny] = await under();
  assert.ok(Math.hypot(nx - x, ny - y) < 1, "what is under the pointer stays there");
  const zoomed = await view(page);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, box.y + 130, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(100);
  const dragged = await view(page);
  assert.ok(Math.abs(dragged[0] - (zoomed[0] - 60 * zoomed[2])) < 1 && Math.abs(dragged[1] - (zoomed[1] - 30 * zoomed[2])) < 1, `${zoomed} ${dragged}`);
  await page.focus("#map");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((x) => Number(document.getElementById("map").dataset.view.split(" ")[0]) > x, dragged[0]);
  await page.keyboard.press("Home");
  await page.waitForTimeout(100);
  assert.deepEqual(await view(page), before);
  await context.close();
});

test("the list has the same actors, by name and class", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openYard(page);
  await page.fill(".map .filter", "light");
  await page.waitForFunction(() => /^12 actors/.test(document.querySelector(".map .found").textContent));
  await page.press(".map .filter", "ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  // The second light is brought into the middle.
  await page.waitForFunction(() => document.getElementById("map").dataset.view.startsWith("693 240 "));
  await page.click("#map-open");
  await page.waitForFunction(() => document.querySelector(".details-head h2")?.textContent === "Light1");
  await context.close();
});

test("maps look right on a desk, a tablet and a phone, light and dark", { timeout: 120_000 }, async () => {
  for (const [width, height] of [[1480, 920], [1024, 700], [390, 780]]) {
    const { page, context } = await openPage(browser, { width, height });
    await openSample(page, "Yard.unr");
    await page.click("#panes [data-pane=details]", { timeout: 1_000 }).catch(() => {});
    await page.waitForFunction(() => document.getElementById("map")?.dataset.view);
    for (const theme of ["light", "dark"]) {
      await page.waitForTimeout(150);
      await page.screenshot({ path: join(pictures, `map-${width}-${theme}.png`) });
      await accessible(page, `map, ${width}, ${theme}`);
      if (theme === "light") await page.evaluate(() => document.getElementById("theme").click());
    }
    await context.close();
  }
});
