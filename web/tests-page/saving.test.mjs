// Saving to a file that the browser lets the page write: what others wrote there is not replaced without a question.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPage, openSample } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test("a file that another program has written is replaced only when its owner says so", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page);
  await page.evaluate(() => {
    delete document.documentElement.dataset.download;
    window.disk = { writes: 0, modified: 1 };
    const handle = {
      name: "Mine.utx",
      getFile: async () => ({ lastModified: window.disk.modified }),
      createWritable: async () => ({ write: async () => { window.disk.writes += 1; window.disk.modified += 1; }, close: async () => {} }),
    };
    window.showSaveFilePicker = async () => handle;
  });
  const asked = [];
  page.removeAllListeners("dialog");
  page.on("dialog", (dialog) => { asked.push(dialog.message()); void dialog.dismiss(); });
  const save = () => page.click("button:has-text('Save')");
  const writes = (count) => page.waitForFunction((count) => window.disk.writes === count, count);
  await save();
  await writes(1);
  await page.waitForSelector(".notice:has-text('Saved Mine.utx')");
  await save();
  await writes(2);
  assert.deepEqual(asked, []);
  await page.evaluate(() => { window.disk.modified = 99; });
  await save();
  await page.waitForFunction(() => true);
  while (asked.length === 0) await page.waitForTimeout(50);
  assert.match(asked[0], /written by another program/);
  assert.equal(await page.evaluate(() => window.disk.writes), 2);
  await context.close();
});
