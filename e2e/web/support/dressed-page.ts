import type { Page } from "playwright-core";
import { en } from "../../../web/src/i18n/en/index.ts";
import type { Messages } from "../../../web/src/i18n/messages.ts";
import { zhCn } from "../../../web/src/i18n/zh-cn/index.ts";
import { WITH_EVERYTHING } from "../../support/form.ts";
import { findViolations } from "./axe.ts";
import type { Site } from "./site.ts";

export const LANGUAGES = { en, "zh-CN": zhCn } as const satisfies Record<string, Messages>;
export const THEMES = ["light", "dark", "contrast", "contrast-dark"] as const;

export interface Dress {
  readonly theme: (typeof THEMES)[number];
  readonly language: keyof typeof LANGUAGES;
}

const combine = (themes: readonly Dress["theme"][]): readonly Dress[] =>
  (["en", "zh-CN"] as const).flatMap((language) => themes.map((theme) => ({ theme, language })));

/** Light and dark, in both languages. */
const PLAIN_DRESSES = combine(["light", "dark"]);
/** High contrast as well, which follows the system between light and dark. */
const ALL_DRESSES = combine(THEMES);

/**
 * What the page at that place of a list is looked at in: everything where everything is asked for, otherwise one, and
 * the pages of the list take turns through all of them.
 */
const takeTurn = (dresses: readonly Dress[]) => (at: number) =>
  WITH_EVERYTHING ? dresses : dresses.slice(at % dresses.length).slice(0, 1);
export const plainDressesAt = takeTurn(PLAIN_DRESSES);
export const allDressesAt = takeTurn(ALL_DRESSES);

/** A page of the site on which nothing goes on. */
export const BLANK = "/icon.svg";

/**
 * A page that changes its theme and language while it is looked at, in whatever state it is: another page of the same
 * browser chooses them.
 */
export class DressedPage {
  readonly page: Page;
  readonly #other: Page;

  private constructor(page: Page, other: Page) {
    this.page = page;
    this.#other = other;
  }

  static async open(site: Site, user: string | null): Promise<DressedPage> {
    const page = user === null ? await site.visitor() : await site.user(user);
    const other = await page.context().newPage();
    await other.goto(BLANK);
    // What lies behind another page is drawn once a second only.
    await page.bringToFront();
    return new DressedPage(page, other);
  }

  /** Opens an address in light and English. */
  async goto(path: string): Promise<void> {
    await this.#choose({ theme: "light", language: "en" });
    await this.page.goto(path);
  }

  async wear(dress: Dress): Promise<void> {
    await this.#choose(dress);
    const scheme = dress.theme.endsWith("dark") ? "dark" : "light";
    const contrast = dress.theme.startsWith("contrast") ? "[data-contrast]" : ":not([data-contrast])";
    const worn = `html[lang="${dress.language}"][data-mantine-color-scheme="${scheme}"]${contrast}`;
    await this.page.locator(worn).waitFor({ state: "attached" });
  }

  async #choose({ theme, language }: Dress): Promise<void> {
    await this.page.emulateMedia({ colorScheme: theme.endsWith("dark") ? "dark" : "light" });
    const stored = theme.startsWith("contrast") ? "contrast" : theme;
    await this.#other.evaluate(
      `localStorage.setItem("drover.theme", "${stored}"); localStorage.setItem("drover.language", "${language}")`,
    );
  }

  /** Both languages are there from now on, also without a connection. */
  async learnLanguages(): Promise<void> {
    await this.wear({ theme: "light", language: "zh-CN" });
    await this.wear({ theme: "light", language: "en" });
  }

  /**
   * What axe finds in each dress. `isThere` waits in each for what the page has to show, so that another page cannot
   * pass for it.
   */
  async findViolations(
    dresses: readonly Dress[],
    isThere: (m: Messages, dress: Dress) => Promise<void>,
    alike?: string,
  ): Promise<readonly string[]> {
    const found: string[] = [];
    for (const dress of dresses) {
      await this.wear(dress);
      await isThere(LANGUAGES[dress.language], dress);
      for (const violation of await findViolations(this.page, alike)) {
        found.push(`${dress.theme} ${dress.language}: ${violation}`);
      }
    }
    return found;
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
