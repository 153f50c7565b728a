// The bytes at the cursor as every kind of value, and bytes of fields that are changed as the values that they are.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, actors, ask, badge, choose, corpus, launch, opened, openPage, openSample, saved } from "./browser.mjs";
import { thumbnailPackage } from "./packages.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const save = (page) => saved(page, () => page.click("button:has-text('Save'):not(.details-pane button)"));
const changesDone = (page, count) => page.waitForFunction((count) => (window.page.doc().summary.changes?.done ?? 0) === count, count);
const inspected = async (page, at) => Object.fromEntries((await ask(page, "inspect", { at })).values.map(([kind, text, size]) => [kind, text === null ? null : [text, size]]));
const rangeOf = (page, key, path) => page.evaluate(async ([key, path]) => {
  const { row } = await window.page.doc().detailsOf(key);
  return (await window.page.doc().get("property-range", { row, path })).range;
}, [key, path]);

/** Goes to a byte and waits for the card of its field; what the field is called. */
async function goTo(page, at) {
  await page.evaluate((at) => window.page.app.goByte(at), at);
  await page.waitForFunction((at) => {
    const view = window.page.app.hex.view;
    return view.cursor === at && view.marked && document.querySelector("#field-bytes, #field-bytes-why");
  }, at);
  await page.waitForTimeout(150);
  return page.textContent(".field-path");
}

test("values at the cursor, in every width", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  const { bytes } = await save(page);
  const first = await inspected(page, 0);
  assert.deepEqual(first.u32, [String(0x9e2a83c1), 4]);
  assert.deepEqual(first.i8, [String(bytes.readInt8(0)), 1]);
  assert.deepEqual(first.u16, [String(bytes.readUInt16LE(0)), 2]);
  assert.deepEqual(first.i64, [String(bytes.readBigInt64LE(0)), 8]);
  // The GUID stands at 36 in this version; files have it in words of four bytes.
  const guid = (await inspected(page, 36)).GUID;
  assert.equal(guid[1], 16);
  assert.equal(guid[0].replace(/\W/g, "").slice(0, 8).toUpperCase(), bytes.readUInt32LE(36).toString(16).toUpperCase().padStart(8, "0"));
  // A property's name, then its value.
  const [start, end] = await rangeOf(page, "path:Walls.Bricks", "USize");
  const name = await inspected(page, start);
  assert.deepEqual(name.name, ["USize", 1]);
  assert.equal(name["compact index"][1], 1);
  const value = await inspected(page, end - 4);
  assert.deepEqual([value.i32, value["colour, red first"]], [["128", 4], ["#800000, alpha 0", 4]]);
  // At the last byte wider values are none.
  const last = await inspected(page, bytes.length - 1);
  assert.ok(last.u8 && !last.u16 && !last.f64 && !last.GUID);
  // Floats of 16 bits, against another way to read them.
  const half = (bits) => {
    const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
    const size = exponent === 31 ? (fraction ? NaN : Infinity) : exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : (fraction / 1024) * 2 ** -14;
    return bits & 0x8000 ? -size : size;
  };
  const number = (text) => (text === "inf" ? Infinity : text === "-inf" ? -Infinity : Number(text));
  const places = Array.from({ length: 160 }, (_, at) => at * 3);
  const halves = await page.evaluate((places) => Promise.all(places.map((at) => window.page.doc().get("inspect", { at }).then(({ values }) => values.find(([kind]) => kind === "f16")[1]))), places);
  for (const [row, at] of places.entries()) assert.equal(Math.fround(number(halves[row])), Math.fround(half(bytes.readUInt16LE(at))), `${at}: ${halves[row]}`);
  // The first text of the package: a name with its length.
  const text = bytes.indexOf("None\0");
  assert.deepEqual((await inspected(page, text - 1)).string, ['"None"', 6]);
  // Opened by keyboard, it follows the cursor.
  await page.focus("#inspector summary");
  await page.keyboard.press("Enter");
  await goTo(page, 0);
  await page.waitForFunction(() => /little-endian/.test(document.querySelector("#inspector summary").textContent) && document.querySelectorAll("#inspected dd").length >= 17);
  for (const theme of ["light", "dark"]) {
    await accessible(page, `values at the cursor, ${theme}`);
    await page.click("#theme");
  }
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("names of UE3 are a row and a number", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  const bytes = thumbnailPackage(4, [1, 2, 3, 255]);
  await choose(page, { name: "Statue.upk", buffer: bytes });
  await opened(page);
  // The first import: of package Core, a Package, in none, called Engine.
  const at = bytes.indexOf(Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0]));
  assert.deepEqual((await inspected(page, at)).name, ["Core", 8]);
  assert.deepEqual((await inspected(page, at + 8)).name, ["Package", 8]);
  await context.close();
});

test("bytes of a field are changed as its value, or it is said why not", { timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  const { bytes: before } = await save(page);
  const commands = async () => (await ask(page, "changes")).list.map(({ command }) => command);
  // A whole number, by keyboard: F2 in the bytes goes to the field.
  const [, end] = await rangeOf(page, "path:Walls.Bricks", "UClamp");
  assert.match(await goTo(page, end - 4), /UClamp$/);
  assert.equal(await page.inputValue("#field-bytes"), "80 00 00 00");
  await page.focus("#hex");
  await page.keyboard.press("F2");
  await page.waitForFunction(() => document.activeElement?.id === "field-bytes");
  await page.fill("#field-bytes", "40 00 00 00");
  await page.keyboard.press("Enter");
  await changesDone(page, 1);
  assert.deepEqual(await commands(), ["upk set Courtyard.utx Walls.Bricks.UClamp=64"]);
  const after = await save(page);
  const wanted = Buffer.from(before);
  wanted[end - 4] = 0x40;
  assert.ok(after.bytes.equals(wanted), "only these bytes are others");
  assert.match(await badge(page), /Rebuilt byte for byte/);
  await accessible(page, "bytes of a field");
  // An object, as its compact index.
  const palette = await rangeOf(page, "path:Walls.Bricks", "Palette");
  await goTo(page, palette[1] - 1);
  const other = await rangeOf(page, "path:Walls.Fence", "Palette");
  await page.fill("#field-bytes", before.subarray(other[1] - 1, other[1]).toString("hex"));
  await page.press("#field-bytes", "Enter");
  await changesDone(page, 2);
  assert.match((await commands())[1], /^upk set Courtyard\.utx Walls\.Bricks\.Palette=/);
  // Bytes that are no value, too few of them, and no digits.
  for (const [text, why] of [["3f 01", /has 1 bytes, not 2/], ["bf", /no value of it|Not changed/], ["zz", /are no bytes/]]) {
    await page.fill("#field-bytes", text);
    await page.press("#field-bytes", "Enter");
    // What was said of the bytes before may still stand there.
    await page.waitForFunction((why) => new RegExp(why).test(document.querySelector(".notice")?.textContent ?? ""), why.source);
    await page.waitForFunction(() => document.querySelector("#field-bytes")?.getAttribute("aria-invalid") === "true");
    await changesDone(page, 2);
  }
  for (let count = 2; count > 0; count--) {
    await page.click("button:has-text('Undo')");
    await changesDone(page, count - 1);
  }
  assert.ok((await save(page)).bytes.equals(before));
  // Where a field can't be set it is said why.
  const reason = async (at) => { await goTo(page, at); return page.textContent("#field-bytes-why"); };
  assert.match(await reason(8), /belongs to header or tables/);
  assert.match(await reason(end - 5), /says which property follows/);
  assert.match(await reason(before.indexOf("courtyard")), /no value of a fixed size/);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("fields of structs are floats", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page, "Yard.unr");
  const { bytes: before } = await save(page);
  const [row, path, place] = (await actors(page)).find(([, path]) => /Light\d*$/.test(path));
  const [start, end] = (await ask(page, "property-range", { row, path: "Location" })).range;
  const y = before.indexOf((() => { const bytes = Buffer.alloc(4); bytes.writeFloatLE(place[1]); return bytes; })(), end - 12);
  assert.ok(y > start && y < end);
  await goTo(page, y);
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(-12.5);
  await page.fill("#field-bytes", bytes.toString("hex"));
  await page.press("#field-bytes", "Enter");
  await changesDone(page, 1);
  assert.equal((await ask(page, "changes")).list[0].command, `upk set Yard.unr ${path}.Location.Y=-12.5`);
  const wanted = Buffer.from(before);
  bytes.copy(wanted, y);
  assert.ok((await save(page)).bytes.equals(wanted));
  // No number is refused.
  await goTo(page, y);
  await page.fill("#field-bytes", "00 00 c0 7f");
  await page.press("#field-bytes", "Enter");
  await page.waitForSelector(".notice:has-text('no value of it')");
  await changesDone(page, 1);
  assert.deepEqual(seen.console, []);
  await context.close();
});

const level = corpus && join(corpus, "classic/69_0_266aca_1HH-TestBox-Large-backup.unr");
test("elements of static arrays, and fields of structs that have no tags", { skip: level && existsSync(level) ? false : "UPK_CORPUS names no folder of real packages", timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await choose(page, level);
  await opened(page);
  const { bytes: before } = await save(page);
  const wanted = Buffer.from(before);
  // Found by `upk explain`: the second element, the leaf and the zone of a region, a name.
  const steps = [[0xad4, "01 02 03 00", /\.upstreamPaths\[1\]=197121'?$/], [0xab3, "05 00 00 00", /\.Region\.iLeaf=5$/], [0xab7, "02", /\.Region\.ZoneNumber=2$/], [0xaad, "3a", /\.Tag=NavigationPointList$/]];
  for (const [at, bytes, said] of steps) {
    await goTo(page, at);
    await page.fill("#field-bytes", bytes);
    const done = await page.evaluate(() => window.page.doc().summary.changes?.done ?? 0);
    await page.press("#field-bytes", "Enter");
    await page.waitForFunction((done) => (window.page.doc().summary.changes?.done ?? 0) > done || document.querySelector(".notice.bad"), done);
    assert.deepEqual(await page.locator(".notice.bad").allTextContents(), []);
    assert.match((await ask(page, "changes")).list.at(-1).command, said);
    Buffer.from(bytes.replaceAll(" ", ""), "hex").copy(wanted, at);
  }
  assert.ok((await save(page)).bytes.equals(wanted));
  assert.deepEqual(seen.console, []);
  await context.close();
});

const material = corpus && join(corpus, "modern/226_0_M_TextMaterial_Opaque_Emissive.uasset");
test("a GUID is changed by its bytes", { skip: material && existsSync(material) ? false : "UPK_CORPUS names no folder of real packages", timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await choose(page, material);
  await opened(page);
  const { fields } = await ask(page, "fields", { from: 0, length: 100_000 });
  const [start, end, path] = fields.find(([, , path]) => /^bodies\[0\]\.LightingGuid$/.test(path));
  assert.equal(end - start, 16, path);
  const { bytes: before } = await save(page);
  const wanted = Buffer.from(before);
  wanted[start] ^= 0x10;
  wanted[end - 1] ^= 0x01;
  await goTo(page, start);
  await page.fill("#field-bytes", wanted.subarray(start, end).toString("hex"));
  await page.press("#field-bytes", "Enter");
  await changesDone(page, 1);
  assert.match((await ask(page, "changes")).list[0].command, /^upk set .*\.LightingGuid=[0-9A-F-]{32,36}'?$/);
  assert.ok((await save(page)).bytes.equals(wanted));
  assert.deepEqual(seen.console, []);
  await context.close();
});
