import type { Page } from "playwright-core";

/** Waits until what the page has is drawn: fonts are there, and two frames have passed since. */
export async function waitUntilDrawn(page: Page): Promise<void> {
  await page.evaluate(
    "document.fonts.ready.then(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))",
  );
}
