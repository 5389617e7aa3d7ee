import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { atEnd } from "../clean-up.mjs";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** What the package adds for small machines. A page that crashes would take all others with it. */
const IN_ONE_PROCESS = ["--single-process", "--in-process-gpu"];
const FLAGS = ["--no-sandbox", "--disable-background-networking", "--enable-precise-memory-info"];

/** The Chromium of this machine; where there is none, the one that comes as a package and brings its own libraries. */
export async function launchBrowser() {
  const browser = await chromium.launch(await findBrowser());
  atEnd(() => browser.close());
  return browser;
}

async function findBrowser() {
  const own = INSTALLED.find((path) => existsSync(path));
  if (own !== undefined) return { executablePath: own, args: FLAGS };
  // The package unpacks its libraries only when it believes to be in the place it was made for.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  const { default: packaged } = await import("@sparticuz/chromium");
  const args = packaged.args.filter((flag) => !IN_ONE_PROCESS.includes(flag));
  return { executablePath: await packaged.executablePath(), args: [...args, ...FLAGS] };
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
