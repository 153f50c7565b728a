// Firefox, over WebDriver BiDi: what Playwright asks of it at its start is not known to the packages' Firefox.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Where it is; undefined where there is none. */
export const firefox = [process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"].find((path) => path && existsSync(path));

/** A web socket, which this Node.js has only behind an option: Playwright brings one. */
function socketTo(url) {
  const require = createRequire(import.meta.url);
  const { ws: WebSocket } = require(join(dirname(require.resolve("playwright-core/package.json")), "lib/utilsBundle.js"));
  return new WebSocket(url);
}

/** Milliseconds that Firefox has for its start, and for each answer. */
const LIMIT = 60_000;

/** What a promise gives; an error where it takes longer than the limit. */
function inTime(promise, what) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`${what} takes more than ${LIMIT} ms`)), LIMIT); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** A page in Firefox: `evaluate` runs a function in it, `seen` has what it wrote to the console, `close` ends all. */
export async function launchFirefox(url, { width = 1200, height = 800 } = {}) {
  const profile = mkdtempSync(join(tmpdir(), "page-firefox-"));
  const browser = spawn(firefox, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", `--width=${width}`, `--height=${height}`],
    { env: { ...process.env, HOME: profile, MOZ_DISABLE_AUTO_SAFE_MODE: "1" }, stdio: ["ignore", "pipe", "pipe"] });
  // It ends with the tests, however they end.
  const kill = () => browser.kill("SIGKILL");
  process.once("exit", kill);
  const address = await inTime(new Promise((resolve, reject) => {
    let said = "";
    const hear = (text) => {
      said += text;
      const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(said);
      if (found) resolve(found[1]);
    };
    browser.stdout.on("data", hear);
    browser.stderr.on("data", hear);
    browser.on("exit", () => reject(new Error(`Firefox has ended: ${said.slice(-400)}`)));
  }), "the start of Firefox").catch((error) => { kill(); throw error; });
  const socket = socketTo(`${address}/session`);
  await inTime(new Promise((resolve, reject) => { socket.on("open", resolve); socket.on("error", reject); }), "the connection").catch((error) => { kill(); throw error; });
  const waiting = new Map();
  const seen = [];
  let next = 1;
  socket.on("message", (data) => {
    const message = JSON.parse(String(data));
    if (message.method === "log.entryAdded" && ["error", "warn"].includes(message.params.level)) seen.push(message.params.text);
    const one = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === "error") one?.reject(new Error(`${message.error}: ${message.message}`));
    else one?.resolve(message.result);
  });
  const send = (method, params) => inTime(new Promise((resolve, reject) => {
    waiting.set(next, { resolve, reject });
    socket.send(JSON.stringify({ id: next++, method, params }));
  }), method);
  await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded"] });
  const { contexts: [{ context }] } = await send("browsingContext.getTree", {});
  await send("browsingContext.setViewport", { context, viewport: { width, height } });
  await send("browsingContext.navigate", { context, url, wait: "complete" });
  /** Runs a function with what JSON can say; its answer likewise. */
  const evaluate = async (run, ...given) => {
    const expression = `(async () => JSON.stringify(await (${run})(...${JSON.stringify(given)})) ?? "null")()`;
    const { type, result, exceptionDetails } = await send("script.evaluate", { expression, target: { context }, awaitPromise: true });
    if (type === "exception") throw new Error(exceptionDetails.text);
    return JSON.parse(result.value);
  };
  /** Waits until a function says something. */
  const until = async (run, ...given) => {
    for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((done) => setTimeout(done, 100))) {
      const found = await evaluate(run, ...given).catch(() => undefined);
      if (found) return found;
    }
    throw new Error(`never: ${run}`);
  };
  const press = (key) => send("input.performActions", { context, actions: [{ type: "key", id: "keys", actions: [{ type: "keyDown", value: key }, { type: "keyUp", value: key }] }] });
  const close = async () => {
    await Promise.race([send("browser.close", {}), new Promise((done) => setTimeout(done, 3_000))]).catch(() => {});
    socket.terminate();
    kill();
    process.off("exit", kill);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  return { evaluate, until, press, seen, close };
}
