import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = ["--no-sandbox", "--disable-background-networking"];

/** The Chromium of this machine; where there is none, the one that comes as a package and brings its own libraries. */
export async function launchBrowser(): Promise<Browser> {
  const own = INSTALLED.find((path) => existsSync(path));
  if (own !== undefined) return await chromium.launch({ executablePath: own, args: FLAGS });
  // The package unpacks its libraries only when it believes to be in the place it was made for.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  const { default: packaged } = await import("@sparticuz/chromium");
  return await chromium.launch({ executablePath: await packaged.executablePath(), args: [...packaged.args, ...FLAGS] });
}
