import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** What the package adds for small machines. A page that crashes would take all others with it. */
const IN_ONE_PROCESS = ["--single-process", "--in-process-gpu"];
const FLAGS = ["--no-sandbox", "--disable-background-networking"];

/** The Chromium of this machine; where there is none, the one that comes as a package and brings its own libraries. */
export async function launchBrowser(): Promise<Browser> {
  const own = INSTALLED.find((path) => existsSync(path));
  if (own !== undefined) return await chromium.launch({ executablePath: own, args: FLAGS });
  // The package unpacks its libraries only when it believes to be in the place it was made for.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  const { default: packaged } = await import("@sparticuz/chromium");
  const args = packaged.args.filter((flag) => !IN_ONE_PROCESS.includes(flag));
  return await chromium.launch({ executablePath: await packaged.executablePath(), args: [...args, ...FLAGS] });
}
