// Real packages: opened, proved, explained, changed and saved as the command does it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { after, before, test } from "node:test";
import { command, corpus, isQuick, launch, openPage } from "./browser.mjs";
import { random } from "./packages.mjs";

const COUNT = Number(process.env.PAGE_PACKAGES ?? 200);
const ENDINGS = new Set([".u", ".unr", ".utx", ".uax", ".umx", ".upk", ".udk", ".pcc", ".xxx", ".ut2", ".uasset", ".umap", ".sfm", ".ukx", ".usx"]);
/** Larger ones would make the test longer, not better. */
const LARGEST = 3 << 20;
const reason = isQuick ? "not in the quick run" : !corpus ? "UPK_CORPUS names no folder of real packages" : !command ? "the command upk is not built" : false;

let browser, folder;
before(async () => {
  if (reason) return;
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), "page-corpus-"));
});
after(async () => {
  if (reason) return;
  await browser.close();
  rmSync(folder, { recursive: true });
});

function packages(named = /./) {
  const found = [];
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (named.test(entry.name) && ENDINGS.has(extname(entry.name).toLowerCase()) && statSync(path).size <= LARGEST) found.push(path);
    }
  };
  for (const part of ["classic", "conform", "modern", "modern-ue6"]) if (existsSync(join(corpus, part))) walk(join(corpus, part));
  // Some of every folder: all engines.
  const draw = random(5);
  return found.map((path) => [draw(), path]).sort(([a], [b]) => a - b).map(([, path]) => path);
}

const run = (...args) => execFileSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });

/** What the command says of a package that can't be opened is no test of the page. */
function opens(path) {
  try {
    return JSON.parse(run("verify", path, "--json").split("\n")[0]);
  } catch (error) {
    try {
      return JSON.parse(String(error.stdout).split("\n")[0]);
    } catch {
      return null;
    }
  }
}

test(`${COUNT} real packages`, { skip: reason, timeout: 3_600_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  const draw = random(11);
  const counts = { packages: 0, identical: 0, bytes: 0, edits: 0, refused: [], byEngine: {} };
  for (const path of packages()) {
    if (counts.packages >= COUNT) break;
    const known = opens(path);
    if (!known || known.status === "unsupported" || known.status === "failed") continue;
    const stem = path.slice(0, path.length - extname(path).length);
    const files = [path, ...[`${stem}.uexp`, `${stem}.ubulk`].filter((file) => /\.(uasset|umap)$/i.test(path) && existsSync(file))];
    await page.setInputFiles("#chooser", files);
    await page.waitForFunction((name) => document.querySelector(".notice.bad") || document.querySelector(".file.current .file-name")?.textContent.startsWith(name), basename(path), { timeout: 60_000 });
    const refused = await page.evaluate(() => !document.querySelector(".file.current") && document.querySelector(".notice.bad").textContent);
    assert.ok(!refused, `${path}: ${refused}`);
    await page.waitForFunction(() => window.page.doc().proof !== undefined || window.page.doc().unproved, null, { timeout: 120_000 });
    const unproved = await page.evaluate(() => window.page.doc().unproved);
    assert.equal(unproved, "", `${path}: not proved`);
    const { proof, summary } = await page.evaluate(() => ({ proof: window.page.doc().proof, summary: window.page.doc().summary }));
    assert.equal(proof.identical, known.status === "identical", `${path}: the badge says ${JSON.stringify(proof)}, upk verify ${JSON.stringify(known)}`);
    if (known.typed !== undefined && !summary.packed) {
      assert.deepEqual(proof.coverage, { typed: known.typed, payload: known.payload, opaque: known.opaque, gap: known.gap }, path);
    }
    counts.packages++;
    counts.identical += Number(proof.identical);
    counts.byEngine[summary.engine] = (counts.byEngine[summary.engine] ?? 0) + 1;
    await explained(page, path, summary, draw, counts);
    await edited(page, path, summary, counts);
    await page.evaluate(() => { for (const button of document.querySelectorAll(".file [aria-label^=Close], .notice button")) button.click(); });
  }
  console.log("corpus", JSON.stringify(counts));
  assert.deepEqual(seen.requests, []);
  assert.ok(counts.packages >= Math.min(COUNT, 20), `${counts.packages} packages`);
  await context.close();
});

test("textures whose largest sizes stand in the .ubulk file", { skip: reason, timeout: 300_000 }, async () => {
  const { page, context } = await openPage(browser);
  let pictures = 0;
  for (const path of packages(/\.uasset$/i)) {
    const stem = path.slice(0, -".uasset".length);
    if (!existsSync(`${stem}.ubulk`)) continue;
    // What the command makes of it with all of its files.
    const out = mkdtempSync(join(folder, "texture-"));
    let png;
    try {
      run("extract", path, "-o", out);
      png = readdirSync(out, { recursive: true }).find((name) => name.endsWith(".png"));
    } catch {
      // Others hold meshes, or can't be decoded without mappings.
    }
    if (!png) continue;
    const wide = readFileSync(join(out, png)).readUInt32BE(16);
    const parts = [path, `${stem}.uexp`].filter(existsSync);
    const [without, beside] = [await picture(page, parts), await picture(page, [...parts, `${stem}.ubulk`])];
    assert.equal(beside.width, wide, `${path}: ${JSON.stringify(beside)}`);
    assert.ok(beside.colours > 1, path);
    assert.ok(without.width < wide, `${path}: its largest size stands in the .ubulk file, and ${JSON.stringify(without)} is shown without`);
    pictures++;
  }
  console.log("pictures with .ubulk", pictures);
  assert.ok(pictures >= 1);
  await context.close();
});

/** The picture of the object that a package is named after, as these files give it. */
async function picture(page, files) {
  await page.setInputFiles("#chooser", files);
  await page.waitForFunction(() => document.querySelector(".notice.bad") || window.page.doc());
  assert.equal(await page.locator(".notice.bad").count(), 0, files[0]);
  const found = await page.evaluate(async () => {
    const doc = window.page.doc();
    const key = doc.summary.asset ?? "export:0";
    const { value, bytes } = await doc.ask("picture", { key }).catch((error) => ({ value: { width: 0, error: error.message } }));
    return { width: value.width, error: value.error, colours: bytes ? new Set(new Uint32Array(bytes)).size : 0 };
  });
  await page.click(".file [aria-label^=Close]");
  return found;
}

/** Twenty bytes: path, type, value and meaning are what the command says. */
async function explained(page, path, summary, draw, counts) {
  const places = Array.from({ length: 20 }, () => Math.floor(draw() * summary.bytes)).sort((a, b) => a - b);
  const ours = await page.evaluate((places) => Promise.all(places.map((at) => window.page.doc().get("field", { at }))), places);
  // One call of the command for several bytes where it would say little more.
  const spread = places.at(-1) - places[0];
  const lines = spread < 200_000 ? run("explain", path, "--json", "--range", `${places[0]}..${places.at(-1) + 1}`).trim().split("\n").map((line) => JSON.parse(line)) : undefined;
  for (const [index, at] of places.entries()) {
    const fields = lines ?? run("explain", path, "--json", "--range", `${at}..${at + 1}`).trim().split("\n").map((line) => JSON.parse(line));
    const theirs = fields.find((field) => field.start <= at && at < field.end);
    const [start, end, name, type, value, meaning] = ours[index].field;
    assert.ok(theirs, `${path}: upk explains no byte ${at}`);
    assert.ok(start <= at && at < end);
    const cut = (text) => [...text].slice(0, 2000).join("");
    assert.deepEqual([name, type, value, meaning], [theirs.path, theirs.type, cut(theirs.value), cut(theirs.meaning)], `${path}, byte ${at}`);
    counts.bytes++;
  }
}

/** One change: the saved files are what the command writes. */
async function edited(page, path, summary, counts) {
  const change = await page.evaluate(async () => {
    const doc = window.page.doc();
    const rows = doc.summary.exports;
    for (let row = 0; row < Math.min(rows, 60); row++) {
      let properties;
      try {
        ({ properties } = await doc.get("properties", { row }));
      } catch {
        continue;
      }
      const one = properties.find(({ kind, text, path }) => kind === "int" && /^-?\d+$/.test(text) && !/[[\].]/.test(path));
      if (one) return { do: "set", object: `#${row}`, property: one.path, value: String((Number(one.text) + 1) % 100) };
    }
    return { do: "add-name", name: "AddedByATest" };
  });
  const out = join(folder, `out${extname(path)}`);
  const said = change.do === "set" ? ["set", path, `${change.object}.${change.property}=${change.value}`] : ["add-name", path, change.name];
  let failed = null;
  try {
    run(...said, "-o", out, "--overwrite");
  } catch (error) {
    failed = String(error.stderr);
  }
  const result = await page.evaluate(async (change) => {
    const doc = window.page.doc();
    try {
      await doc.change(change);
    } catch (error) {
      return { error: error.message };
    }
    const files = await doc.save();
    const texts = [];
    for (const file of files) {
      let text = "";
      const bytes = new Uint8Array(await file.arrayBuffer());
      for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
      texts.push(btoa(text));
    }
    return { texts, names: files.map((file) => file.name) };
  }, change);
  if (failed || result.error) {
    assert.ok(failed && result.error, `${path}, ${JSON.stringify(change)}: the command says ${failed}, the page ${result.error}`);
    return;
  }
  const written = [readFileSync(out)];
  const bodies = join(folder, "out.uexp");
  if (result.texts.length > 1) written.push(readFileSync(bodies));
  for (const [at, text] of result.texts.entries()) {
    assert.ok(Buffer.from(text, "base64").equals(written[at]), `${path}, ${JSON.stringify(change)}: ${result.names[at]} is not what the command writes`);
  }
  rmSync(bodies, { force: true });
  counts.edits++;
}
