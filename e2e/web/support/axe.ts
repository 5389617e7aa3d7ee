import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/**
 * Every violation of WCAG up to 2.2 AA that axe finds on a page, each in a line. What `alike` selects is not shown to it:
 * the many that are like those it looks at, where it would need minutes for all.
 */
export async function findViolations(page: Page, alike?: string): Promise<readonly string[]> {
  // Evaluated by the debugger, which the policy of the page does not bind.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(SOURCE);
  if (alike !== undefined) await setHidden(page, alike, true);
  const violations = await page.evaluate(async (tags) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (root: unknown, options: object) => Promise<{ violations: Violation[] }> };
    };
    const { document } = globalThis as unknown as { document: unknown };
    return (await axe.run(document, { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] }))
      .violations;
  }, TAGS);
  if (alike !== undefined) await setHidden(page, alike, false);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = "" }) => `${id}: ${target.join(" ")} ${failureSummary.replaceAll("\n", " ")}`,
    ),
  );
}

const setHidden = async (page: Page, selector: string, isHidden: boolean) =>
  await page.evaluate(
    `for (const one of document.querySelectorAll(${JSON.stringify(selector)}))
      one.style.display = ${JSON.stringify(isHidden ? "none" : "")};`,
  );
