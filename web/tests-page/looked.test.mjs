// What a user has chosen, opened, filtered and scrolled stays when a change draws the view anew.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, launch, openPage, openSample } from "./browser.mjs";
import { changesDone, go, set, settled, travel } from "./keeping.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test("the size of a picture that was chosen stays", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  await go(page, "path:Walls.Bricks", "picture", "canvas.picture");
  await page.selectOption("[aria-label=Size]", "2");
  await page.selectOption("[aria-label=Channel]", "r");
  await page.selectOption("[aria-label=Zoom]", "8");
  await settled(page);
  const seenNow = () => page.evaluate(() => [...document.querySelectorAll(".details-body select")].map((one) => one.value).concat(document.querySelector("canvas.picture").width, document.querySelector(".picture-ground").scrollLeft));
  await page.evaluate(() => { document.querySelector(".picture-ground").scrollLeft = 15; });
  const before = await seenNow();
  assert.equal(before[0], "2");
  await page.focus("[aria-label=Size]");
  await set(page, "Walls.Fence", "UClamp", "64");
  await settled(page);
  assert.deepEqual(await seenNow(), before);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Size");
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("what is looked at in graphs, areas and lists stays", { timeout: 120_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page, "MF_Lamp.uasset");
  for (const [key, tab] of [["path:MF_Lamp", "graph"], ["header", "dependencies"]]) {
    await go(page, key, tab, "#graph[data-view]");
    await page.fill("[aria-label='Filter the nodes']", "t");
    await page.waitForTimeout(200);
    await page.focus("#graph");
    await page.keyboard.press("+");
    await page.keyboard.press("ArrowRight");
    // On a busy machine the filter comes late, and what was clicked before is another row.
    for (let tries = 0; tries < 10 && !(await page.textContent(".graph-links")); tries++) {
      await page.click("#nodes .row:nth-child(2)");
      await settled(page);
    }
    await page.focus("[aria-label='Filter the nodes']");
    await settled(page);
    const looked = () => page.evaluate(() => [document.querySelector("#graph").dataset.view, document.querySelector("[aria-label='Filter the nodes']").value, document.querySelector(".map .found").textContent,
      document.querySelector(".graph-links").textContent, document.querySelector("#nodes .row.active .label")?.textContent, document.activeElement?.getAttribute("aria-label")]);
    const before = await looked();
    assert.ok(before[3] && before[4], JSON.stringify(before));
    await set(page, "MF_Lamp.Rough", "R", tab === "graph" ? "0.25" : "0.75");
    await settled(page);
    assert.deepEqual(await looked(), before, tab);
  }
  await go(page, "header", "sizes", "#treemap");
  await page.focus("#treemap");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await settled(page);
  const area = () => page.evaluate(() => document.querySelector("#areas .row.active .label")?.textContent);
  const chosen = await area();
  await set(page, "MF_Lamp.Rough", "R", "0.5");
  await settled(page);
  assert.equal(await area(), chosen);
  await page.focus("#treemap");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.equal(await area(), chosen, "it is the chosen one");
  await go(page, "names", "rows", "#rows .row");
  await page.focus("#rows");
  for (let at = 0; at < 30; at++) await page.keyboard.press("ArrowDown");
  await page.evaluate(() => { document.querySelector("#rows").scrollTop -= 40; });
  await settled(page);
  const list = () => page.evaluate(() => [document.querySelector("#rows").scrollTop, document.querySelector("#rows").getAttribute("aria-activedescendant"), document.activeElement?.id]);
  const before = await list();
  assert.ok(before[0] > 0, JSON.stringify(before));
  await set(page, "MF_Lamp.Rough", "R", "0.75");
  await settled(page);
  assert.deepEqual(await list(), before);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("the tree stays as it is filtered and scrolled, and a page of hits or changes stays", { timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser, { height: 420 });
  await openSample(page, "Yard.unr");
  await go(page, "path:LevelInfo0", "properties", ".properties");
  const tree = () => page.evaluate(() => [document.querySelector("#tree").scrollTop, document.querySelector(".tree-pane .filter").value, document.querySelectorAll("#tree .row").length]);
  await page.evaluate(() => { document.querySelector("#tree").scrollTop = 500; });
  await settled(page);
  const scrolled = await tree();
  assert.ok(scrolled[0] > 200);
  await set(page, "Light4", "LightHue", "3");
  await settled(page);
  assert.deepEqual(await tree(), scrolled);
  await page.fill(".tree-pane .filter", "PlayerStart");
  await page.waitForFunction(() => /found/.test(document.querySelector(".tree-pane .found").textContent));
  await settled(page);
  const filtered = await tree();
  await set(page, "Light4", "LightHue", "4");
  await settled(page);
  assert.deepEqual(await tree(), filtered);
  // Pages in place of an object.
  await page.fill("#search", "Light4");
  await page.press("#search", "Enter");
  await page.waitForSelector(".hits li");
  await page.evaluate(() => { document.querySelector(".details-body").scrollTop = 60; });
  const title = () => page.evaluate(() => [document.querySelector(".details-head h2").textContent, document.querySelector(".details-body").scrollTop]);
  const before = await title();
  assert.equal(before[0], "Light4");
  await travel(page, "undo");
  await settled(page);
  assert.deepEqual(await title(), before);
  await page.click("button:has-text('Changes')");
  await page.waitForSelector(".changes li.undone");
  await page.click("button:has-text('Redo')");
  await page.waitForFunction(() => document.querySelector(".changes") && !document.querySelector(".changes li.undone"));
  assert.equal((await title())[0], "Changes");
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("a sound goes on, a file that was refused waits for its options, the map is looked at where it was", { timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  await go(page, "path:Ambient.Bell", "sound", "audio");
  await page.waitForFunction(() => document.querySelector("audio").duration > 0);
  await page.evaluate(() => { document.querySelector("audio").currentTime = 0.1; });
  await set(page, "Walls.Fence", "UClamp", "64");
  await settled(page);
  assert.ok(await page.evaluate(() => document.querySelector("audio").currentTime >= 0.1));
  // Two textures share a palette, which lacks the colours of another picture.
  const { properties } = await ask(page, "properties", { row: (await page.evaluate(() => window.page.doc().detailsOf("path:Walls.Bricks"))).row });
  await set(page, "Walls.Fence", "Palette", properties.find(({ path }) => path === "Palette").text);
  await go(page, "path:Walls.Bricks", "picture", "canvas.picture");
  const picture = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(128, 128);
    const context = canvas.getContext("2d");
    for (let at = 0; at < 128 * 128; at++) {
      context.fillStyle = `rgb(${(at % 128) * 2} ${(at >> 7) * 2} ${255 - (at % 128)})`;
      context.fillRect(at % 128, at >> 7, 1, 1);
    }
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  });
  await page.setInputFiles(".details-pane [data-replace]", { name: "New.png", mimeType: "image/png", buffer: Buffer.from(picture) });
  await page.waitForSelector(".refused button");
  const done = await page.evaluate(() => window.page.doc().summary.changes.done);
  await set(page, "Walls.Fence", "UClamp", "32");
  await settled(page);
  await page.click(".refused button:has-text('Take the nearest colours')");
  await changesDone(page, done + 2);
  assert.equal(await page.locator(".refused button").count(), 0);
  await page.click("[aria-label='Close Courtyard.utx']");
  await openSample(page, "Yard.unr");
  await go(page, "header", "map", "#map[data-view]");
  const all = await page.textContent(".map .found");
  await page.fill("[aria-label='Filter the actors']", "Light");
  await page.waitForFunction((all) => document.querySelector(".map .found").textContent !== all, all);
  await page.click("#actors .row:nth-child(3)");
  await page.focus("#map");
  await page.keyboard.press("+");
  await settled(page);
  const looked = () => page.evaluate(() => [document.querySelector("#map").dataset.view, document.querySelector("[aria-label='Filter the actors']").value, document.querySelector(".map .found").textContent]);
  const before = await looked();
  await set(page, "Light4", "LightHue", "9");
  await settled(page);
  assert.deepEqual(await looked(), before);
  await go(page, "path:Light4", "properties", ".properties");
  await go(page, "header", "map", "#map[data-view]");
  assert.deepEqual(await looked(), before, "gone back to");
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("the bar keeps the focus, and the bytes their selection", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  await go(page, "path:Walls.Bricks", "properties", "[data-path=UClamp]");
  const focused = () => page.evaluate(() => document.activeElement?.className || document.activeElement?.getAttribute("aria-label"));
  for (const [element, name] of [[".file-name", "file-name"], ["select[aria-label=Game]", "Game"]]) {
    await page.focus(element);
    await set(page, "Walls.Fence", "UClamp", element === ".file-name" ? "64" : "32");
    await settled(page);
    assert.equal(await focused(), name);
  }
  await page.evaluate(() => { window.page.app.hex.view.go(100); });
  await page.focus("#hex");
  for (let at = 0; at < 5; at++) await page.keyboard.press("Shift+ArrowRight");
  const selection = () => page.evaluate(() => window.page.app.hex.view.selection);
  const before = await selection();
  await set(page, "Walls.Fence", "UClamp", "64");
  await settled(page);
  assert.deepEqual(await selection(), before);
  assert.ok(before[1] - before[0] >= 5);
  assert.deepEqual(seen.console, []);
  await context.close();
});
