import { chromium } from "playwright-core";
import { findChromium } from "../../../scripts/lib/packaged-chromium.mjs";
import { atEnd } from "../clean-up.mjs";

const FLAGS = ["--no-sandbox", "--disable-background-networking", "--enable-precise-memory-info"];

export async function launchBrowser() {
  const { executablePath, args } = await findChromium({
    importer: import.meta.url,
    load: () => import("@sparticuz/chromium"),
  });
  const browser = await chromium.launch({ executablePath, args: [...args, ...FLAGS] });
  atEnd(() => browser.close());
  return browser;
}

/** A processor four times as slow, 10 Mbit/s, 40 ms there and back. */
const NETWORK = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };
const CPU = 4;

/**
 * A page in a browser profile of its own, so with nothing in its cache, of somebody who is signed in.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {{ url: string, name: string, password: string }} site
 */
export async function openPage(browser, { url, name, password }, { throttled = true } = {}) {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, locale: "en-US" });
  const answer = await context.request.post("/api/v1/login", { data: { name, password } });
  if (!answer.ok()) throw new Error(`Signing in was answered with ${answer.status()}.`);
  const page = await context.newPage();
  const debug = await context.newCDPSession(page);
  const throttle = async (on) => {
    await debug.send("Network.enable");
    await debug.send(
      "Network.emulateNetworkConditions",
      on ? NETWORK : { ...NETWORK, latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
    );
    await debug.send("Emulation.setCPUThrottlingRate", { rate: on ? CPU : 1 });
  };
  if (throttled) await throttle(true);
  return { page, debug, throttle, close: () => context.close() };
}
