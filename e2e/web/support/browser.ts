import { type Browser, chromium } from "playwright-core";
import { findChromium } from "../../../scripts/lib/packaged-chromium.mjs";

const FLAGS = ["--no-sandbox", "--disable-background-networking"];

export async function launchBrowser(): Promise<Browser> {
  const { executablePath, args } = await findChromium({
    importer: import.meta.url,
    load: () => import("@sparticuz/chromium"),
  });
  return await chromium.launch({ executablePath, args: [...args, ...FLAGS] });
}
