// What is drawn of Unreal Engine 2 and 3: maps, graphs, curves, pictures, sounds of packages that are made here.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, badge, choose, launch, openPage, root } from "./browser.mjs";
import { harbour, lighthouse } from "./engines.mjs";

const pictures = process.env.PAGE_PICTURES ?? join(root, "dist/pictures");
mkdirSync(pictures, { recursive: true });
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** What there is, by engine: the object, the tab, what shows that it is drawn. */
const SHOWN = [
  ["ue2", "Harbour.ut2", harbour, [["map", "header", "#map[data-view]"], ["picture", "path:Sail", "canvas.picture"], ["sound", "path:Horn", "#wave"]]],
  ["ue3", "Lighthouse.upk", lighthouse, [["map", "header", "#map[data-view]"], ["graph", "path:TheWorld.PersistentLevel.Main_Sequence", "#graph[data-view]"],
    ["curve", "path:Brightness", "svg.curve"], ["picture", "path:Sail", "canvas.picture"], ["sound", "path:Horn", "#wave"]]],
];

async function open(page, name, buffer) {
  await choose(page, { name, buffer });
  // On a phone another pane may be in view.
  await page.waitForFunction((name) => window.page.doc()?.name === name, name);
}

async function go(page, key, tab, drawn) {
  await page.evaluate(([key, tab]) => window.page.app.go(key, tab), [key, tab]);
  await page.waitForFunction((tab) => document.querySelector("[role=tab][aria-selected=true]")?.dataset.tab === tab, tab);
  await page.waitForSelector(drawn);
}

/** Texels of the picture that is shown, at these places. */
const texels = (page, places) => page.locator("canvas.picture").evaluate((canvas, places) => {
  const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return places.map(([x, y]) => [...data.slice((y * width + x) * 4, (y * width + x + 1) * 4)]);
}, places);

const CHECKS = {
  async map(page) {
    assert.match(await page.textContent(".map .found"), /^2[34] actors, 2[34] with a place$/);
  },
  async graph(page) {
    assert.match(await page.textContent(".map .found"), /^6 nodes, 4 wires$/);
  },
  async curve(page) {
    assert.equal(await page.locator("svg.curve circle").count(), 4);
    // Labels are as large as other texts, at every width.
    const heights = await page.locator(".curve-label").evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().height));
    assert.ok(heights.length > 4 && heights.every((height) => height >= 11 && height < 20), String(heights));
  },
  async picture(page) {
    assert.deepEqual(await page.locator("canvas.picture").evaluate((canvas) => [canvas.width, canvas.height]), [64, 64]);
    // The sky above, the sail's stripe, the sea below: which way is up, and which colour is red.
    assert.deepEqual(await texels(page, [[60, 0], [10, 2], [30, 63]]), [[150, 200, 235, 255], [200, 60, 70, 255], [30, 70, 120, 255]]);
  },
  async sound(page) {
    assert.match(await page.textContent("#wave-facts"), /^0\.33 seconds, one channel, 11,025 samples a second, peak \d\d %$/);
    const { height } = await page.locator("#wave").boundingBox();
    assert.ok(height >= 60, `${height} pixels high`);
  },
};

for (const [width, height] of [[1480, 920], [1024, 768], [390, 780]]) {
  test(`Unreal Engine 2 and 3, ${width} pixels wide, light and dark`, { timeout: 180_000 }, async () => {
    const { page, context, seen } = await openPage(browser, { width, height });
    for (const [engine, name, make, shown] of SHOWN) {
      await open(page, name, make());
      assert.match(await badge(page), /Rebuilt byte for byte: ([\d,]+) of \1/);
      await page.click("#panes [data-pane=details]", { timeout: 1_000 }).catch(() => {});
      for (const [tab, key, drawn] of shown) {
        await go(page, key, tab, drawn);
        await CHECKS[tab](page);
        for (const theme of ["light", "dark"]) {
          if ((await page.evaluate(() => document.documentElement.dataset.theme ?? "light")) !== theme) await page.evaluate(() => document.getElementById("theme").click());
          await page.waitForTimeout(150);
          await page.screenshot({ path: join(pictures, `${engine}-${tab}-${width}-${theme}.png`) });
        }
        await accessible(page, `${engine}, ${tab}, ${width}, dark`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${engine}, ${tab} is wider than the screen`);
      }
      await page.evaluate(() => { for (const doc of [...window.page.app.docs]) window.page.app.closeTab(doc); });
    }
    assert.deepEqual(seen.requests, []);
    // What this test reads of pictures is said there as well.
    assert.deepEqual(seen.console.filter((text) => !text.startsWith("Canvas2D")), []);
    await context.close();
  });
}

test("what says something of a level as a whole does not make its map small", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await open(page, "Harbour.ut2", harbour({ east: 40_000 }));
  await page.waitForSelector("#map[data-view]");
  const [x, , scale] = (await page.getAttribute("#map", "data-view")).split(" ").map(Number);
  assert.ok(Math.abs(x - 40_000) < 500 && scale < 10, `${x} ${scale}`);
  // It is in the list all the same.
  await page.fill("[aria-label='Filter the actors']", "LevelInfo");
  await page.waitForFunction(() => /^1 actors/.test(document.querySelector(".map .found").textContent));
  await context.close();
});

test("of several graphs the object's own is shown first", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await open(page, "Lighthouse.upk", lighthouse());
  await go(page, "path:TheWorld.PersistentLevel.Main_Sequence", "graph", "#graph[data-view]");
  const chooser = page.locator("[aria-label=Graph]");
  // The inner one stands before it in the package, and is called by its place in it.
  assert.deepEqual(await chooser.locator("option").allTextContents(), ["Main_Sequence", "Storm"]);
  assert.match(await page.textContent(".map .found"), /^6 nodes/);
  await chooser.selectOption({ label: "Storm" });
  await page.waitForFunction(() => /^1 node, 0 wires/.test(document.querySelector(".map .found").textContent));
  await context.close();
});

test("a name of a pin has the whole width where none stands on the other side; few nodes are not drawn too large", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await open(page, "Lighthouse.upk", lighthouse());
  await go(page, "path:TheWorld.PersistentLevel.Main_Sequence", "graph", "#graph[data-view]");
  await page.evaluate(() => {
    window.written = new Set();
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) { window.written.add(text); return fillText.call(this, text, ...rest); };
  });
  await page.click("#nodes .row:has-text('SeqEvent_LevelLoaded_0'), #nodes .row:has-text('LevelLoaded_0')");
  for (let times = 0; times < 4; times++) await page.click(".map [aria-label=Nearer]");
  await page.waitForTimeout(200);
  const written = await page.evaluate(() => [...window.written]);
  assert.ok(written.includes("Loaded and Visible"), written.join(", "));
  await page.locator("[aria-label=Graph]").selectOption({ label: "Storm" });
  await page.waitForFunction(() => /^1 node/.test(document.querySelector(".map .found").textContent));
  await page.waitForSelector("#graph[data-view]");
  const scale = Number((await page.getAttribute("#graph", "data-view")).split(" ")[2]);
  assert.ok(scale >= 0.5, String(scale));
  await context.close();
});

test("what is said of a graph fits a narrow phone", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser, { width: 340, height: 720 });
  await open(page, "Lighthouse.upk", lighthouse());
  await page.click("#panes [data-pane=details]");
  await go(page, "path:TheWorld.PersistentLevel.Main_Sequence.Storm", "graph", "#graph[data-view]");
  assert.match(await page.textContent(".map .found"), /no places are stored/);
  const { x, width } = await page.locator(".map .found").boundingBox();
  assert.ok(x >= 0 && x + width <= 340, `${x} ${width}`);
  await go(page, "header", "map", "#map[data-view]");
  // The places of actors are not cut.
  const cut = await page.locator("#actors .row .number").evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent));
  assert.deepEqual(cut, []);
  await context.close();
});

test("drawings follow the browser's theme while they are open", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await open(page, "Harbour.ut2", harbour());
  const ground = (id) => page.locator(id).evaluate((canvas) => [...canvas.getContext("2d").getImageData(2, 2, 1, 1).data].slice(0, 3).reduce((sum, part) => sum + part, 0));
  for (const [tab, key, id] of [["map", "header", "#map"], ["sizes", "header", "#treemap"], ["dependencies", "header", "#graph"]]) {
    await page.emulateMedia({ colorScheme: "light" });
    await go(page, key, tab, id);
    await page.waitForTimeout(100);
    const light = await ground(id);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForTimeout(150);
    const dark = await ground(id);
    assert.ok(dark < light - 100, `${tab}: ${light} ${dark}`);
  }
  await context.close();
});

test("packages that are closed at once leave nothing on the console", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await choose(page, [{ name: "Harbour.ut2", buffer: harbour() }, { name: "Lighthouse.upk", buffer: lighthouse() }]);
  await page.waitForFunction(() => window.page.app.docs.length === 2);
  await page.waitForTimeout(1_000);
  // Closing the first shows the second, which is closed before its tree is there.
  await page.evaluate(() => { for (const doc of [...window.page.app.docs]) window.page.app.closeTab(doc); });
  await page.waitForSelector("[data-sample]");
  await page.waitForTimeout(500);
  assert.deepEqual(seen.console, []);
  await context.close();
});
