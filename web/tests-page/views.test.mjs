// Every view: what it shows, that it is accessible, what it looks like; the whole story by keyboard.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, badge, choose, launch, openPage, openSample, opened, root, saved } from "./browser.mjs";

const pictures = process.env.PAGE_PICTURES ?? join(root, "dist/pictures");
mkdirSync(pictures, { recursive: true });
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** Selects an object of the tree by its path's last part. */
async function select(page, name) {
  await page.fill(".filter", name);
  // Before that the rows still move.
  await page.waitForFunction(() => document.querySelector(".tree-pane .found").textContent.includes("found"));
  await page.waitForTimeout(150);
  await page.waitForFunction((name) => [...document.querySelectorAll("#tree .row .label")].some((label) => label.textContent === name), name);
  await page.locator("#tree .row", { has: page.locator(".label", { hasText: new RegExp(`^${name}$`) }) }).first().click();
  await page.waitForFunction((name) => document.querySelector(".details-head h2")?.textContent === name, name);
  await page.fill(".filter", "");
}

async function tab(page, name) {
  await page.getByRole("tab", { name, exact: true }).click();
  await page.waitForFunction((name) => document.querySelector("[role=tab][aria-selected=true]")?.textContent === name, name);
}

for (const theme of ["light", "dark"]) {
  test(`views, ${theme}`, { timeout: 180_000 }, async (t) => {
    const { page, seen, context } = await openPage(browser, { theme });
    const view = async (name, check) => t.test(name, async () => {
      await check();
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(pictures, `${name}-${theme}.png`) });
      await accessible(page, `${name}, ${theme}`);
    });
    await view("start", async () => {
      assert.match(await page.textContent(".welcome h2"), /Unreal Engine/);
    });
    await openSample(page);
    await view("picture", async () => {
      assert.match(await badge(page), /Rebuilt byte for byte: ([\d,]+) of \1/);
      assert.match(await page.getAttribute("#coverage", "aria-label"), /typed [\d.]+ %, payload/);
      await select(page, "Bricks");
      await page.waitForSelector("canvas.picture");
      const size = await page.locator("canvas.picture").evaluate((canvas) => [canvas.width, canvas.height]);
      assert.deepEqual(size, [128, 128]);
      await page.selectOption("[aria-label=Size]", "2");
      await page.waitForFunction(() => document.querySelector("canvas.picture").width === 32);
      await page.selectOption("[aria-label=Size]", "0");
      await page.waitForFunction(() => document.querySelector("canvas.picture").width === 128);
      await page.selectOption("[aria-label=Channel]", "r");
      const gray = await page.locator("canvas.picture").evaluate((canvas) => [...canvas.getContext("2d").getImageData(5, 5, 1, 1).data]);
      assert.equal(gray[0], gray[1]);
      await page.selectOption("[aria-label=Channel]", "rgba");
      await page.click("#hex", { position: { x: 200, y: 100 } });
      await page.waitForSelector(".field-path");
      assert.ok((await page.textContent("#field-card")).includes("bodies["));
    });
    await view("properties", async () => {
      await tab(page, "Properties");
      await page.waitForSelector(".property [data-path=USize]");
      assert.equal(await page.inputValue("[data-path=USize]"), "128");
    });
    await view("references", async () => {
      await tab(page, "References");
      await page.waitForSelector(".references li");
    });
    await view("text", async () => {
      await select(page, "Readme");
      await page.waitForSelector("textarea.text");
      assert.match(await page.inputValue("textarea.text"), /courtyard/);
    });
    await view("sound", async () => {
      await select(page, "Bell");
      await page.waitForSelector("audio");
      const seconds = await page.locator("audio").evaluate(async (audio) => {
        await new Promise((resolve, reject) => {
          audio.addEventListener("loadedmetadata", resolve);
          audio.addEventListener("error", () => reject(new Error("the sound can't be played")));
          if (audio.readyState > 0) resolve();
        });
        return audio.duration;
      });
      assert.ok(Math.abs(seconds - 0.5) < 0.05, `${seconds} seconds`);
    });
    await view("header", async () => {
      await page.locator("#tree .row", { hasText: "Header" }).first().click();
      await page.waitForFunction(() => document.querySelector(".details-head h2")?.textContent === "Header");
    });
    await view("names", async () => {
      await page.locator("#tree .row", { hasText: "Names" }).first().click();
      await page.waitForSelector("#rows .row");
    });
    await view("layout", async () => {
      await page.fill("#find", "0x8");
      await page.press("#find", "Enter");
      await page.waitForFunction(() => document.querySelector(".field-path")?.textContent === "summary.package_flags");
      await page.click("#field-card .link:has-text('table::summary')");
      await page.waitForSelector(".table tbody tr");
    });
    await view("changes", async () => {
      await select(page, "Bricks");
      await tab(page, "Properties");
      await page.fill("[data-path=USize]", "64");
      await page.press("[data-path=USize]", "Enter");
      await page.waitForSelector(".changed-mark");
      await page.click("button:has-text('Changes')");
      await page.waitForSelector(".verdict");
      assert.match(await page.textContent(".changes"), /upk set Courtyard\.utx Walls\.Bricks\.USize=64/);
      assert.match(await page.textContent(".details-body"), /USize 128 → 64/);
      assert.match(await badge(page), /Rebuilt byte for byte/);
    });
    await view("error", async () => {
      await choose(page, { name: "Broken.u", buffer: Buffer.from("this is no package at all") });
      await page.waitForSelector(".notice");
      assert.match(await page.textContent(".notice"), /Broken\.u.*not an Unreal package.*Drop a package/s);
    });
    await page.keyboard.press("Escape");
    await view("table", async () => {
      await page.evaluate(() => { for (const button of document.querySelectorAll("[aria-label^=Close]")) button.click(); });
      await page.waitForSelector("[data-sample]");
      await openSample(page, "DT_Weapons.uasset");
      await page.waitForSelector(".table");
      assert.match(await page.textContent(".table"), /Sword/);
      assert.match(await badge(page), /Rebuilt byte for byte/);
    });
    await t.test("no request, nothing on the console", () => {
      assert.deepEqual(seen.requests, []);
      assert.deepEqual(seen.console, []);
    });
    await context.close();
  });
}

test("narrow, and at 400 %", { timeout: 120_000 }, async (t) => {
  for (const [name, width, height] of [["narrow", 360, 740], ["zoomed", 320, 256]]) {
    await t.test(name, async () => {
      const { page, context } = await openPage(browser, { width, height });
      await openSample(page);
      const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      for (const pane of ["objects", "details", "bytes"]) {
        await page.click(`#panes [data-pane=${pane}]`);
        await page.waitForTimeout(150);
        assert.ok(await fits(), `${pane} is wider than the screen`);
        await page.screenshot({ path: join(pictures, `${name}-${pane}.png`) });
        await accessible(page, `${pane}, ${name}`);
      }
      await context.close();
    });
  }
});

test("the whole story by keyboard", { timeout: 120_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.dataset.path || document.activeElement.textContent);
  // Open: by Tab to the sample.
  for (let tabs = 0; tabs < 20 && (await focused()) !== "Courtyard.utx"; tabs++) await press("Tab");
  assert.equal(await focused(), "Courtyard.utx");
  await press("Enter");
  await opened(page);
  await badge(page);
  // Find: filter, into the tree, the object.
  await press("/");
  await page.keyboard.type("Bricks");
  await page.waitForFunction(() => document.querySelector(".found")?.textContent.includes("found"));
  await press("ArrowDown");
  assert.equal(await focused(), "tree");
  // Rows come from the worker: until then there is no label.
  const active = async () => (await page.waitForSelector("#tree .row.active .label")).textContent();
  for (let row = 0; row < 6 && (await active()) !== "Bricks"; row++) await press("ArrowDown");
  await press("Enter");
  await page.waitForFunction(() => document.querySelector(".details-head h2")?.textContent === "Bricks");
  assert.equal(await focused(), "tree", "choosing keeps the focus");
  // Edit: to the tabs, to the properties, to the field.
  for (let tabs = 0; tabs < 12 && !(await page.evaluate(() => document.activeElement.getAttribute("role") === "tab")); tabs++) await press("Tab");
  for (let tabs = 0; tabs < 6 && (await focused()) !== "tab-properties"; tabs++) await press("ArrowRight");
  await page.waitForSelector("[data-path=USize]");
  // The form is one stop; up and down lead through its rows.
  for (let tabs = 0; tabs < 6 && !(await page.evaluate(() => document.activeElement.closest(".property"))); tabs++) await press("Tab");
  for (let rows = 0; rows < 30 && (await focused()) !== "USize"; rows++) await press("ArrowDown");
  assert.equal(await focused(), "USize");
  await press("Control+a");
  await page.keyboard.type("32");
  await press("Enter");
  await page.waitForSelector(".changed-mark");
  await page.waitForFunction(() => document.querySelector("[data-path=USize]")?.value === "32");
  assert.equal(await focused(), "USize", "the field keeps the focus");
  // Undo and redo, outside the field.
  await press("Alt+3");
  assert.equal(await focused(), "hex");
  await press("Control+z");
  await page.waitForFunction(() => !document.querySelector(".changed-mark"));
  await press("Control+y");
  await page.waitForSelector(".changed-mark");
  // Bytes: field by field.
  await press("Control+Home", "n", "n", "n");
  const at = (path) => page.waitForFunction((path) => document.querySelector(".field-path")?.textContent === path, path);
  await at("summary.name_count");
  await press("p", "p", "n");
  await at("summary.package_flags");
  // What was not gone yet is forgotten when the cursor is put somewhere else.
  await press("n", "n", "Control+Home");
  await at("summary.tag");
  // Save.
  const { name, bytes } = await saved(page, () => press("Control+s"));
  assert.equal(name, "Courtyard.utx");
  assert.equal(bytes.readUInt32LE(0), 0x9e2a83c1);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("history, links, layout shift", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await page.evaluate(() => {
    window.shifts = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value; }).observe({ type: "layout-shift", buffered: true });
  });
  await openSample(page);
  await badge(page);
  await select(page, "Bricks");
  await select(page, "Fence");
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".details-head h2")?.textContent === "Bricks");
  await page.goForward();
  await page.waitForFunction(() => document.querySelector(".details-head h2")?.textContent === "Fence");
  assert.match(await page.evaluate(() => location.hash), /^#Courtyard\.utx\/path:Walls\.Fence/);
  await page.evaluate(() => { location.hash = "#header&byte=0x10"; });
  await page.waitForFunction(() => document.querySelector(".field-path")?.textContent === "summary.name_offset");
  const shifts = await page.evaluate(() => window.shifts);
  assert.ok(shifts < 0.1, `layout shift of ${shifts}`);
  await context.close();
});
