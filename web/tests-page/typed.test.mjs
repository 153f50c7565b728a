// What a user has typed stays when another change draws the view anew, says when another text is stored meanwhile, and goes to no other object.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, ask, choose, launch, openPage, openSample } from "./browser.mjs";
import { area, change, changesDone, editing, go, save, set, settled, travel } from "./keeping.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test("an open code editor goes on when another change draws its view anew", { timeout: 120_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page, "LampPost.u");
  await go(page, "path:LampPost.Light", "code", "#code-edit");
  await page.click("#code-edit");
  const stored = await page.inputValue(area);
  const typed = stored.replace("Old = Brightness;", `Old = 7;${"\n\t// a line".repeat(60)}`);
  await page.fill(area, typed);
  await page.evaluate((area) => {
    const field = document.querySelector(area);
    field.setSelectionRange(40, 52);
    field.scrollTop = 300;
  }, area);
  await page.keyboard.insertText("typed by hand");
  await page.evaluate((area) => { document.querySelector(area).setSelectionRange(41, 46); document.querySelector(area).scrollTop = 210; }, area);
  await settled(page);
  const before = await editing(page);
  assert.ok(before.hasFocus && before.top > 0 && before.text !== stored, JSON.stringify([before.hasFocus, before.top]));
  // A change of another object, one taken back, one done again.
  assert.ok(await change(page, { do: "code", object: "LampPost", text: (await ask(page, "code", { row: 7 })).defaults.replace("Brightness=64", "Brightness=96"), lent: [] }));
  await settled(page);
  assert.deepEqual(await editing(page), before, "after a change");
  await travel(page, "undo");
  await travel(page, "redo");
  await settled(page);
  assert.deepEqual(await editing(page), before, "after undo and redo");
  assert.equal(await page.locator(".stored-meanwhile").count(), 0);
  // What was typed last is taken back by the keys of every field.
  await page.focus(area);
  await page.keyboard.press("Control+z");
  assert.ok(!(await page.inputValue(area)).includes("typed by hand"), "undo of the field itself");
  // It is compiled as if nothing had been: and the editor is left.
  await page.fill(area, stored.replace("Old = Brightness;", "Old = 7;"));
  await page.press(area, "Control+Enter");
  await changesDone(page, 2);
  await page.waitForFunction(() => /Old = 7;/.test(document.querySelector("pre.code")?.textContent ?? ""));
  assert.equal(await page.locator(area).count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "code-edit", "the focus is where one was");
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("stored code that another edit has changed: what is typed stays, and the page says so", { timeout: 120_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page, "LampPost.u");
  await go(page, "path:LampPost.Light", "code", "#code-edit");
  await page.click("#code-edit");
  const stored = await page.inputValue(area);
  const [typed, other] = ["Old = 7;", "Old = 9;"].map((line) => stored.replace("Old = Brightness;", line));
  // Nothing typed: the editor shows what is stored now.
  assert.ok(await change(page, { do: "code", object: "LampPost.Light", text: other, lent: [] }));
  await settled(page);
  assert.match(await page.inputValue(area), /Old = 9;/);
  assert.equal(await page.locator(".stored-meanwhile").count(), 0);
  await travel(page, "undo");
  await settled(page);
  assert.match(await page.inputValue(area), /Old = Brightness;/);
  await page.fill(area, typed);
  assert.ok(await change(page, { do: "code", object: "LampPost.Light", text: other, lent: [] }));
  await settled(page);
  assert.equal(await page.inputValue(area), typed);
  assert.match(await page.textContent(".stored-meanwhile"), /Another change has stored another text meanwhile/);
  assert.match(await page.textContent(".stored-meanwhile pre"), /Old = 9;/);
  await accessible(page, "an editor beside which another text is stored");
  assert.match((await ask(page, "code", { row: 3 })).text, /Old = 9;/, "it is not stored by itself");
  // As it was opened once more: there is nothing to say.
  await travel(page, "undo");
  await settled(page);
  assert.equal(await page.locator(".stored-meanwhile").count(), 0);
  assert.equal(await page.inputValue(area), typed);
  await page.press(area, "Control+Enter");
  await page.waitForFunction(() => /Old = 7;/.test(document.querySelector("pre.code")?.textContent ?? ""));
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("an open editor waits for its object, and goes to no other one and to no other package", { timeout: 120_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page, "LampPost.u");
  const { bytes } = await save(page);
  await go(page, "path:LampPost.Broken", "code", "#code-edit");
  await page.click("#code-edit");
  const typed = (await page.inputValue(area)).replace("bLit = false;", "bLit = true;");
  await page.fill(area, typed);
  // Another object, and back.
  await go(page, "path:LampPost.Light", "code", "#code-edit:visible");
  assert.equal(await page.locator(area).count(), 0);
  await go(page, "path:LampPost.Broken", "code", area);
  assert.equal(await page.inputValue(area), typed);
  // Another package that has an object of this name, and back.
  await choose(page, { name: "Other.u", buffer: bytes });
  await page.waitForFunction(() => window.page.doc()?.name === "Other.u");
  await go(page, "path:LampPost.Broken", "code", "#code-edit:visible");
  assert.equal(await page.locator(area).count(), 0);
  await page.click(".file-name:has-text('LampPost.u')");
  await page.waitForSelector(area);
  assert.equal(await page.inputValue(area), typed);
  // An object before it goes away: the rows behind it move, and the editor goes with its object.
  const key = await page.evaluate(() => window.page.app.details.shown.key);
  const light = (await ask(page, "code", { row: 3 })).text;
  assert.ok(await change(page, { do: "code", object: "LampPost.Light", text: light.replace(/.*\bOld\b.*\n/g, ""), lent: [] }));
  await settled(page);
  const shown = () => page.evaluate(() => [window.page.app.details.shown.path, window.page.app.details.shown.key]);
  const [path, moved] = await shown();
  assert.equal(path, "LampPost.Broken");
  assert.notEqual(moved, key);
  assert.equal(await page.inputValue(area), typed);
  await travel(page, "undo");
  await settled(page);
  assert.deepEqual(await shown(), ["LampPost.Broken", key]);
  assert.equal(await page.inputValue(area), typed);
  // Closing its package would lose it.
  const asked = page.waitForEvent("dialog");
  await page.click("[aria-label='Close LampPost.u']");
  assert.match((await asked).message(), /typed and is not stored/);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("what is typed while the editor's text is being compiled stays", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page, "LampPost.u");
  await go(page, "path:LampPost.Light", "code", "#code-edit");
  await page.click("#code-edit");
  const typed = (await page.inputValue(area)).replace("Old = Brightness;", "Old = 7;");
  await page.fill(area, typed);
  await page.evaluate((area) => {
    const field = document.querySelector(area);
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true }));
    field.value += "// more";
  }, area);
  await changesDone(page, 1);
  await settled(page);
  assert.equal(await page.inputValue(area), `${typed}// more`);
  assert.equal(await page.locator(".stored-meanwhile").count(), 0, "what is stored is its own");
  await page.press(area, "Escape");
  await page.waitForFunction(() => /Old = 7;/.test(document.querySelector("pre.code")?.textContent ?? ""));
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("a value that is being typed is neither lost nor stored half when the one before it is stored", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  await go(page, "path:Walls.Bricks", "properties", "[data-path=UClamp]");
  // The answer to the first one comes while the second one is typed.
  await page.fill("[data-path=UClamp]", "64");
  await page.focus("[data-path=VClamp]");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("12");
  await changesDone(page, 1);
  await settled(page);
  const field = () => page.evaluate(() => { const field = document.querySelector("[data-path=VClamp]"); return [field.value, field.selectionStart, document.activeElement === field]; });
  assert.deepEqual(await field(), ["12", 2, true]);
  assert.equal((await ask(page, "changes")).list.length, 1, "it is not finished");
  await page.keyboard.type("8");
  assert.deepEqual(await field(), ["128", 3, true]);
  // Left, it is stored, though the field in which it was typed is gone.
  await page.fill("[data-path=VClamp]", "");
  await page.keyboard.type("16");
  await set(page, "Walls.Fence", "UClamp", "32");
  await settled(page);
  await page.focus("[data-path=UClamp]");
  await changesDone(page, 3);
  await settled(page);
  assert.equal(await page.inputValue("[data-path=VClamp]"), "16");
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("values that are on their way when their view comes anew: refused ones stay, stored ones stand as they are stored", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  await go(page, "path:Walls.Bricks", "properties", "[data-path=UClamp]");
  // Both are handed on before the first answer: the view comes anew while the second one is on its way.
  const both = (first, second) => page.evaluate(([first, second]) => {
    for (const [path, text] of [["UClamp", first], ["VClamp", second]]) {
      const field = document.querySelector(`[data-path=${path}]`);
      field.value = text;
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    }
  }, [first, second]);
  await both("64", "many");
  await changesDone(page, 1);
  await page.waitForSelector("[data-path=VClamp][aria-invalid=true]");
  await settled(page);
  assert.equal(await page.inputValue("[data-path=VClamp]"), "many");
  await both("32", "016");
  await changesDone(page, 3);
  await settled(page);
  assert.deepEqual([await page.inputValue("[data-path=UClamp]"), await page.inputValue("[data-path=VClamp]")], ["32", "16"]);
  assert.equal(await page.locator(".stored-meanwhile, [aria-invalid=true], [aria-busy=true]").count(), 0);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("rows that were asked for, and what is typed in them, stay", { timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page, "DT_Weapons.uasset");
  await go(page, "path:DT_Weapons", "table", "table.table");
  const head = "---,Damage,Range,Title,Melee";
  const rows = Array.from({ length: 1_200 }, (_, at) => `Row${at},${at},${at % 7},Number ${at},true`);
  await page.setInputFiles(".details-pane [data-replace]", { name: "Many.csv", mimeType: "text/csv", buffer: Buffer.from(`${head}\n${rows.join("\n")}\n`) });
  await changesDone(page, 1);
  await page.waitForSelector("#more-rows:visible");
  await page.click("#more-rows");
  const cell = "input[aria-label='Row1150, Damage']";
  await page.waitForSelector(cell);
  // No number: it is refused, and stays to be mended.
  await page.fill(cell, "many");
  await page.press(cell, "Enter");
  await page.waitForSelector(`${cell}[aria-invalid=true]`);
  await page.evaluate((cell) => { document.querySelector(cell).setSelectionRange(1, 3); }, cell);
  await page.evaluate(() => { document.querySelector(".details-body").scrollTop -= 50; });
  const state = () => page.evaluate((cell) => {
    const field = document.querySelector(cell);
    return { rows: document.querySelectorAll("tbody tr").length, text: field?.value, isInvalid: field?.getAttribute("aria-invalid"), selection: [field?.selectionStart, field?.selectionEnd], hasFocus: document.activeElement === field, top: document.querySelector(".details-body").scrollTop };
  }, cell);
  const before = await state();
  assert.ok(before.top > 5_000 && before.hasFocus, JSON.stringify(before));
  await set(page, "DT_Weapons", "[Row3].Damage", "77");
  await settled(page);
  assert.deepEqual(await state(), before);
  // Another change stores another value there: both are seen, and the one that is wanted is taken.
  await set(page, "DT_Weapons", "[Row1150].Damage", "5");
  await settled(page);
  assert.equal(await page.inputValue(cell), "many");
  assert.match(await page.textContent(".stored-meanwhile"), /stored meanwhile: 5(\.0+)?\. Enter stores what is typed here, Escape takes that/);
  await page.press(cell, "Escape");
  assert.match(await page.inputValue(cell), /^5/);
  assert.equal(await page.locator(".stored-meanwhile").count(), 0);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("parts of properties that are open, and the form below them, stay", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page, "MF_Lamp.uasset");
  await go(page, "path:MF_Lamp.Flicker", "properties", "[data-property=FloatCurve]");
  for (const path of ["FloatCurve", "FloatCurve.Keys"]) await page.click(`[data-property='${path}'] .twisty`);
  const part = "[data-path='FloatCurve.Keys[0]']";
  await page.waitForSelector(part);
  await page.fill("[aria-label='Property to add']", "Extra:int");
  await page.fill("[aria-label='Its value']", "no number");
  await page.fill(part, (await page.inputValue(part)).replace("Value=1.0", "Value=12.5"));
  await page.press(part, "Enter");
  await changesDone(page, 1);
  await settled(page);
  assert.match(await page.inputValue(part), /Value=12\.5/);
  assert.equal(await page.evaluate(() => document.activeElement?.dataset.path), "FloatCurve.Keys[0]");
  assert.equal(await page.getAttribute("[data-property=FloatCurve]", "aria-expanded"), "true");
  const form = async () => [await page.inputValue("[aria-label='Property to add']"), await page.inputValue("[aria-label='Its value']")];
  assert.deepEqual(await form(), ["Extra:int", "no number"]);
  // What is refused stays there, what is added does not.
  await page.press("[aria-label='Its value']", "Enter");
  await page.waitForSelector(".notice");
  await settled(page);
  assert.deepEqual(await form(), ["Extra:int", "no number"]);
  await page.fill("[aria-label='Its value']", "99");
  await page.press("[aria-label='Its value']", "Enter");
  await changesDone(page, 2);
  await settled(page);
  assert.deepEqual(await form(), ["", ""]);
  // What is known of it stays in view where it is changed.
  await page.click("#tab-facts");
  await set(page, "MF_Lamp.Rough", "R", "0.75");
  await settled(page);
  assert.equal(await page.getAttribute("#tab-facts", "aria-selected"), "true");
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("bytes of a field that are being typed stay", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  await go(page, "path:Walls.Bricks", "properties", "[data-path=UClamp]");
  await page.click("[data-property=UClamp] .property-bytes");
  // Behind its name and its type stands its value.
  await page.evaluate(async () => { window.page.app.hex.view.go((await window.page.doc().get("property-range", { row: window.page.app.details.shown.row, path: "UClamp" })).range[1] - 1); });
  await page.waitForSelector("#field-bytes");
  await page.focus("#field-bytes");
  await page.keyboard.press("End");
  await page.keyboard.type(" f");
  const typed = await page.inputValue("#field-bytes");
  await set(page, "Walls.Fence", "UClamp", "64");
  await settled(page);
  assert.equal(await page.inputValue("#field-bytes"), typed);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "field-bytes");
  assert.equal((await ask(page, "changes")).list.length, 1);
  assert.deepEqual(seen.console, []);
  await context.close();
});
