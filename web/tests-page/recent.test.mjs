// Files that were opened before: kept by the browser, offered again, forgotten when that is asked for.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, launch, opened, root } from "./browser.mjs";

let browser;
let server;
before(async () => {
  browser = await launch();
  // Files of their own are what only pages of a server have.
  server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(readFileSync(join(root, "dist/page.html")));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
});
after(async () => {
  await browser.close();
  server.close();
});

const ready = (page) => page.waitForSelector("html[data-ready=yes]", { timeout: 60_000 });

test("what was opened is offered again, and can be forgotten", { timeout: 90_000 }, async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const url = `http://127.0.0.1:${server.address().port}/`;
  await page.goto(url);
  await ready(page);
  assert.equal(await page.locator(".recent").isHidden(), true);
  // A dialog that only people can answer gives this file.
  await page.evaluate(async () => {
    const { app } = window.page;
    const open = app.open.bind(app);
    const sample = await new Promise((resolve) => {
      app.open = async ([file]) => resolve(file);
      document.querySelector("[data-sample='Courtyard.utx']").click();
    });
    app.open = open;
    const folder = await navigator.storage.getDirectory();
    const handle = await folder.getFileHandle("Mine.utx", { create: true });
    const writer = await handle.createWritable();
    await writer.write(sample);
    await writer.close();
    window.showOpenFilePicker = async () => [handle];
  });
  await page.click("#choose");
  await opened(page);
  assert.match(await page.title(), /^Mine\.utx/);
  // After a reload it is listed, and opens without a dialog.
  await page.goto(`${url}?again`);
  await ready(page);
  await page.waitForSelector("[data-recent='Mine.utx']");
  await accessible(page, "start with files of before");
  await page.click("[data-recent='Mine.utx']");
  await opened(page);
  assert.match(await page.title(), /^Mine\.utx/);
  await page.goto(`${url}?forgotten`);
  await ready(page);
  await page.click("#forget");
  await page.waitForFunction(() => document.querySelector(".recent").hidden);
  await page.goto(`${url}?still`);
  await ready(page);
  await page.waitForTimeout(200);
  assert.equal(await page.locator("[data-recent]").count(), 0);
  // What is gone is taken off the list.
  await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    const handle = await folder.getFileHandle("Mine.utx");
    window.showOpenFilePicker = async () => [handle];
  });
  await page.click("#choose");
  await opened(page);
  await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry("Mine.utx"));
  await page.goto(`${url}?gone`);
  await ready(page);
  await page.click("[data-recent='Mine.utx']");
  await page.waitForSelector(".notice.bad");
  await page.waitForFunction(() => document.querySelector(".recent").hidden);
  await context.close();
});
