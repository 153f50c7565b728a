// Containers: listed, opened with their key, packages in them opened and saved; no more of them read than is needed.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { after, before, test } from "node:test";
import { accessible, badge, choose, command, corpus, isQuick, launch, openPage, opened, openSample, root, saved } from "./browser.mjs";
import { damaged, pakOf, random } from "./packages.mjs";

const pictures = process.env.PAGE_PICTURES ?? join(root, "dist/pictures");
mkdirSync(pictures, { recursive: true });
const KEY = Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7 + 1));
const found = [];
if (corpus && existsSync(join(corpus, "containers"))) {
  for (const entry of readdirSync(join(corpus, "containers"), { recursive: true })) if (/\.(pak|utoc)$/.test(entry)) found.push(join(corpus, "containers", entry));
}
let browser, table;
before(async () => {
  browser = await launch();
  const { page, context } = await openPage(browser);
  await openSample(page, "DT_Weapons.uasset");
  table = (await saved(page, () => page.click("button:has-text('Save')"))).bytes;
  await context.close();
});
after(() => browser.close());

/** Files as a game has them, and one that is much larger than all others. */
function files({ most = 2000, large = 24 << 20 } = {}) {
  const draw = random(3);
  const all = { "Game/Content/Tables/DT_Weapons.uasset": table, "Game/Config/DefaultGame.ini": Buffer.from("[/Script/Game]\r\nTitle=Town\r\n") };
  const kinds = [["Block", "umap"], ["SM_House", "uasset"], ["T_Bricks", "uasset"], ["DT_Prices", "uasset"]];
  for (let at = 0; at < most; at++) {
    const [kind, ending] = kinds[at % 4];
    const block = String(Math.floor(at / 4)).padStart(3, "0");
    all[`Game/Content/City/Block_${block}/${kind}_${block}.${ending}`] = randomBytes(draw, 900 + Math.floor(draw() * 4000));
  }
  all["Game/Content/Movies/Intro.mp4"] = Buffer.alloc(large, 0x5a);
  return all;
}

/** Half of them alike, so that they can be compressed. */
function randomBytes(draw, length) {
  const bytes = Buffer.alloc(length, 0x20);
  for (let at = 0; at < length / 2; at++) bytes[at] = Math.floor(draw() * 256);
  return bytes;
}

const rows = (page) => page.textContent("#workspace .found").then((text) => Number(text.replace(/\D/g, "")));
const row = (page, name) => page.locator("#files .row", { has: page.locator(".label", { hasText: new RegExp(`^${name.replace(".", "\\.")}$`) }) });
const listed = (page) => page.waitForSelector("#files .row .label");
const read = (page) => page.evaluate(() => window.page.traffic.read);

async function filter(page, text) {
  await page.fill("#workspace .filter", text);
  await page.waitForTimeout(350);
}

test("a .pak: listed, filtered, a package and a file taken out", { timeout: 120_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  const { bytes, index } = pakOf(files());
  await choose(page, { name: "Town.pak", buffer: bytes });
  await listed(page);
  assert.equal(await rows(page), 2001);
  assert.match(await page.textContent("#workspace"), /Town\.pak.*version 4, 2,001 packages among 2,003 files/);
  const toList = await read(page);
  assert.ok(toList < index + 65_536, `${toList} bytes were read to list ${index} bytes of index`);
  for (const theme of ["light", "dark"]) {
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(pictures, `container-${theme}.png`) });
    await accessible(page, `container, ${theme}`);
    await page.click("#theme");
  }
  await page.selectOption("[aria-label='Which files']", "all");
  await page.waitForFunction(() => document.querySelector("#workspace .found").textContent === "2,003 files");
  await filter(page, "defaultgame");
  const ini = await saved(page, () => row(page, "DefaultGame.ini").click());
  assert.deepEqual([ini.name, String(ini.bytes)], ["DefaultGame.ini", "[/Script/Game]\r\nTitle=Town\r\n"]);
  await filter(page, "weapons");
  assert.equal(await rows(page), 1);
  await row(page, "DT_Weapons.uasset").click();
  await opened(page);
  assert.match(await badge(page), /Rebuilt byte for byte/);
  const all = await read(page);
  assert.ok(all < toList + table.length + 4096, `${all} bytes were read of ${bytes.length}`);
  // Changed, it is what the same package is that was dropped by itself.
  assert.equal(await page.evaluate(() => window.page.app.change({ do: "add-name", name: "Unused" })), true);
  const fromPak = await saved(page, () => page.click("button:has-text('Save')"));
  await page.evaluate(() => { for (const button of document.querySelectorAll(".file [aria-label^=Close]")) button.click(); });
  await page.waitForSelector("[data-sample]");
  await choose(page, { name: "DT_Weapons.uasset", buffer: table });
  await opened(page);
  assert.equal(await page.evaluate(() => window.page.app.change({ do: "add-name", name: "Unused" })), true);
  const alone = await saved(page, () => page.click("button:has-text('Save')"));
  assert.deepEqual(fromPak, alone);
  assert.deepEqual(seen.console, []);
  assert.deepEqual(seen.requests, []);
  await context.close();
});

test("an encrypted .pak asks for its key; all of it by keyboard", { timeout: 120_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  await choose(page, { name: "Town.pak", buffer: pakOf(files({ most: 60, large: 4096 }), KEY).bytes });
  await page.waitForSelector(".unlock:not([hidden])");
  assert.equal(await page.evaluate(() => document.activeElement.id), "container-key");
  for (const theme of ["light", "dark"]) {
    await page.waitForTimeout(250);
    await accessible(page, `a locked container, ${theme}`);
    await page.screenshot({ path: join(pictures, `locked-${theme}.png`) });
    await page.evaluate(() => document.getElementById("theme").click());
  }
  await page.keyboard.type("00".repeat(32));
  await press("Enter");
  await page.waitForSelector(".notice.bad");
  assert.match(await page.textContent(".notice.bad"), /Not unlocked.*key does not fit/s);
  await press("Escape", "Control+a");
  await page.keyboard.type(`0x${KEY.toString("hex")}`);
  await press("Enter");
  // The container's own row is listed while it is locked, too.
  await page.waitForFunction(() => document.querySelector("#workspace .found").textContent.startsWith("61 "));
  await page.waitForFunction(() => document.activeElement.id === "files");
  await press("/");
  await page.keyboard.type("weapons");
  await page.waitForFunction(() => document.querySelector("#workspace .found").textContent === "1 package");
  await press("ArrowDown");
  await page.waitForSelector("#files .row .label");
  await press("Enter");
  await opened(page);
  assert.match(await badge(page), /Rebuilt byte for byte/);
  assert.deepEqual(seen.console, []);
  assert.deepEqual(seen.requests, []);
  await context.close();
});

test("damaged and lone containers say what to do; narrow screens hold the list", { timeout: 120_000 }, async () => {
  const { page, context, seen } = await openPage(browser, { width: 360, height: 740 });
  const { bytes } = pakOf(files({ most: 20, large: 4096 }));
  await choose(page, { name: "Cut.pak", buffer: bytes.subarray(0, bytes.length - 9) });
  await page.waitForSelector(".notice.bad");
  assert.match(await page.textContent(".notice.bad"), /Cut\.pak.*does not end as a \.pak file.*Drop a whole \.pak/s);
  await choose(page, { name: "Town.ucas", buffer: Buffer.alloc(64) });
  await page.waitForFunction(() => /Town\.ucas belongs to Town\.utoc/.test(document.querySelector(".notice")?.textContent ?? ""));
  // A file whose record lies outside: the list stands, taking it fails.
  const torn = Buffer.from(bytes);
  torn.fill(0xff, 0, 60);
  await choose(page, { name: "Torn.pak", buffer: torn });
  await listed(page);
  await filter(page, "weapons");
  await row(page, "DT_Weapons.uasset").click();
  await page.waitForSelector(".notice.bad");
  assert.match(await page.textContent(".notice.bad"), /DT_Weapons\.uasset.*damaged/s);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await accessible(page, "a container on a narrow screen");
  await page.screenshot({ path: join(pictures, "narrow-container.png") });
  assert.deepEqual(seen.requests, []);
  await context.close();
});

test("damaged containers: an error, and the page lives", { timeout: 600_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  // A .pak, and a table of contents with its blocks where there is a real one.
  const small = files({ most: 6, large: 2000 });
  const sources = [{ ending: "pak", table: pakOf(small).bytes, beside: [] }];
  const toc = found.find((path) => path.endsWith("PatchBase.utoc"));
  if (toc) sources.push({ ending: "utoc", table: readFileSync(toc), beside: [readFileSync(toc.replace(/utoc$/, "ucas"))] });
  const draw = random(77);
  const outcome = { listed: 0, refused: 0, taken: 0, crashed: 0 };
  for (let round = 0; round < (isQuick ? 40 : 300); round++) {
    const { ending, table, beside } = sources[round % sources.length];
    const parts = [[`Damaged${round}.${ending}`, damaged(table, draw)], ...beside.map((bytes) => [`Damaged${round}.ucas`, bytes])];
    const result = await page.evaluate(async (parts) => {
      const { app } = window.page;
      await window.page.open(parts.map(([name, text]) => new File([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], name)));
      const set = app.workspace?.sets[0];
      if (!set) return { notice: document.querySelector(".notice.bad")?.textContent ?? "" };
      const kinds = [];
      const ask = (request) => set.engine.ask(request).then(() => kinds.push("done"), (error) => kinds.push(error.kind));
      await ask({ op: "files", from: 0, count: 64 });
      for (let row = 0; row < 8; row++) await ask({ op: "take", container: 0, row });
      return { kinds };
    }, parts.map(([name, bytes]) => [name, bytes.toString("base64")]));
    if (result.kinds) {
      outcome.listed++;
      outcome.taken += result.kinds.filter((kind) => kind === "done").length;
      outcome.crashed += result.kinds.filter((kind) => kind === "crash").length;
    } else {
      outcome.refused++;
      assert.ok(result.notice.length > 20 && !/unreachable/.test(result.notice), `round ${round} says '${result.notice}'`);
    }
    await page.evaluate(() => { for (const button of document.querySelectorAll(".file [aria-label^=Close], .notice button")) button.click(); });
  }
  console.log("damaged containers", JSON.stringify(outcome));
  assert.equal(outcome.crashed, 0, "damaged containers end the module");
  // Of a .pak less is read before its files are: a table of contents is refused more often.
  assert.ok(outcome.listed > 10 && outcome.refused > (toc ? 10 : 2) && outcome.taken > 10, "the damage is neither too small nor too large");
  assert.deepEqual(seen.requests, []);
  await context.close();
});

/** The key of a container, as the list of the corpora says it. */
function keyOf(path) {
  const lines = readFileSync(join(corpus, "containers/manifest.tsv"), "utf8").split("\n").map((line) => line.split("\t"));
  const columns = lines[0];
  const line = lines.find((line) => line[0] === relative(join(corpus, "containers"), path));
  const key = line?.[columns.indexOf("key")].split(" ")[0] ?? "";
  return key.replace(/^(ascii|hex|base64):/, "");
}

const reason = isQuick ? "not in the quick run" : !found.length ? "UPK_CORPUS names no folder with real containers" : !command ? "the command upk is not built" : false;

test("real containers: as many files as the command lists, packages as it reads them", { skip: reason, timeout: 900_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  const counts = { containers: 0, files: 0, locked: 0, packages: 0, named: 0 };
  for (const path of found.sort()) {
    const stem = path.replace(/\.\w+$/, "");
    const parts = [path, ...["", "_s1", "_s2", "_s3"].map((end) => `${stem}${end}.ucas`).filter((file) => path.endsWith(".utoc") && existsSync(file))];
    const global = join(path, "../../global");
    if (path.endsWith(".utoc") && existsSync(`${global}.utoc`)) parts.push(`${global}.utoc`, `${global}.ucas`);
    await page.setInputFiles("#chooser", parts);
    await page.waitForFunction((name) => document.querySelector(".notice.bad") || document.querySelector("#workspace h2")?.textContent.includes(name), basename(path), { timeout: 60_000 });
    assert.equal(await page.evaluate(() => document.querySelector(".notice.bad")?.textContent ?? ""), "", path);
    counts.containers++;
    const key = keyOf(path);
    if (await page.locator(".unlock:not([hidden])").count()) {
      counts.locked++;
      assert.ok(key, `${path} asks for a key`);
      await page.fill("#container-key", key);
      await page.press("#container-key", "Enter");
      await page.waitForSelector(".unlock[hidden]", { state: "attached" });
    }
    const keys = key ? ["--key", key] : [];
    const lines = execFileSync(command, ["ls", path, "--json", ...keys], { encoding: "utf8", maxBuffer: 1 << 28 }).trim().split("\n");
    // The last line counts them.
    const theirs = lines.map((line) => JSON.parse(line)).filter(({ path }) => path !== undefined);
    const ours = await page.evaluate(async () => {
      const { engine } = window.page.app.workspace.sets[0];
      await engine.get({ op: "filter-files", text: "", packages: false });
      return engine.get({ op: "files", from: 0, count: 1 << 20 });
    });
    const said = ({ path, size, stored, method, encrypted, deleted }) => JSON.stringify({ path, size, stored, method, encrypted, deleted });
    assert.deepEqual(ours.rows.filter((row) => row.from === basename(path)).map(said).sort(), theirs.map(said).sort(), path);
    counts.files += theirs.length;
    const before = await read(page);
    const one = ours.rows.find((row) => row.package && row.from === basename(path) && row.size > 2000);
    if (one) {
      await page.evaluate(async (one) => {
        const { app } = window.page;
        try {
          await app.shelf.openListed(await app.workspace.sets[0].take(one));
        } catch (error) {
          app.fail(error);
        }
      }, one);
      const refused = await page.evaluate(() => document.querySelector(".notice.bad")?.textContent ?? "");
      assert.equal(refused, "", path);
      await opened(page);
      await page.waitForFunction(() => window.page.doc().proof !== undefined || window.page.doc().unproved, null, { timeout: 120_000 });
      const { proof, unproved } = await page.evaluate(() => ({ proof: window.page.doc().proof, unproved: window.page.doc().unproved }));
      const known = JSON.parse(execFileSync(command, ["verify", `${path}/${one.path}`, "--json", ...keys], { encoding: "utf8" }).split("\n")[0]);
      // What compiled code calls its classes stands in global.utoc.
      const { rows } = await page.evaluate(() => window.page.doc().get("tree", { from: 0, count: 40 }));
      const classes = rows.filter(({ key }) => key.startsWith("export:")).map(({ detail }) => detail);
      if (parts.some((file) => file.endsWith("global.utoc"))) {
        assert.ok(classes.length > 0 && !classes.some((name) => name.startsWith("@")), `${path}: ${classes}`);
        counts.named++;
      }
      assert.equal(proof?.identical, known.status === "identical", `${path}/${one.path}: ${unproved}`);
      counts.packages++;
      assert.ok((await read(page)) - before <= statSync(path).size + (4 << 20), `${path}: more is read than is needed`);
    }
    await page.evaluate(() => { for (const button of document.querySelectorAll(".file [aria-label^=Close], .notice button")) button.click(); });
  }
  console.log("containers", JSON.stringify(counts));
  // A table of contents alone lists what there is, and says what is missing when something is taken out.
  const alone = found.find((path) => /Zlib.*\.utoc$/.test(path));
  await page.setInputFiles("#chooser", [alone]);
  await listed(page);
  assert.match(await page.textContent(".containers"), /\.ucas is missing: drop it together with/);
  // Its folders are closed; the filter opens those that hold what is looked for.
  await page.fill("#workspace .filter", ".u");
  await page.locator("#files .row:has(.package)").first().click();
  await page.waitForSelector(".notice.bad");
  assert.match(await page.textContent(".notice.bad"), /\.ucas, which is not there.*Drop .*\.utoc together with its \.ucas/s);
  assert.ok(counts.containers >= 10 && counts.packages >= 3);
  assert.deepEqual(seen.requests, []);
  await context.close();
});
