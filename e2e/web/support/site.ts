import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { Place, waitUntil } from "../../support/place.ts";
import { launchBrowser } from "./browser.ts";

const SCREENSHOTS = fileURLToPath(new URL("../../../.cache/screenshots/", import.meta.url));

export interface Look {
  readonly theme?: "light" | "dark" | "contrast";
  readonly language?: "en-US" | "zh-CN";
  readonly width?: number;
  readonly height?: number;
}

/** Drover with a worker, or without one. */
type Program = "up" | "server";

/** What the policy of the server refused, with the place that tried it. */
const TELL_VIOLATIONS = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("policy:", location.pathname, event.violatedDirective, event.sourceFile, event.lineNumber,
    event.columnNumber, event.target?.outerHTML?.slice(0, 200)))`;

/** A running Drover and a browser that looks at it. */
export class Site {
  readonly place: Place;
  readonly browser: Browser;
  /** Everything that a page did which it must not: errors, refused styles and scripts, other hosts. */
  readonly offences: string[] = [];
  /**
   * How many requests the browser gave up because the networks of the machine changed, as they do whenever a container
   * comes or goes. What a page does then says nothing about the page.
   */
  networkChanges = 0;
  readonly #program: Program;
  #signInLink = "";

  private constructor(place: Place, browser: Browser, program: Program = "up") {
    this.place = place;
    this.browser = browser;
    this.#program = program;
  }

  static async open(makePlace: () => Promise<Place> = () => Place.make(), program?: Program): Promise<Site> {
    const [place, browser] = await Promise.all([makePlace(), launchBrowser()]);
    const site = new Site(place, browser, program);
    await site.start();
    return site;
  }

  /** Starts Drover, on the same port as before when it was there before. */
  async start(port = "0"): Promise<void> {
    const up = this.place.drover(this.#program, "--port", port);
    await waitUntil(() => up.seen.out.includes("is running"), `drover ${this.#program}`);
    this.#signInLink = /Sign in\s+(\S+)/.exec(up.seen.out)?.[1] ?? this.#signInLink;
  }

  get url(): string {
    return this.place.url;
  }

  get signInLink(): string {
    return this.#signInLink;
  }

  async visitor({ theme = "light", language = "en-US", width = 1440, height = 900 }: Look = {}): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: this.url,
      viewport: { width, height },
      locale: language,
      colorScheme: theme === "dark" ? "dark" : "light",
      reducedMotion: "reduce",
      serviceWorkers: "block",
    });
    const page = await context.newPage();
    await page.addInitScript(`localStorage.setItem("drover.theme", "${theme}")`);
    await page.addInitScript(TELL_VIOLATIONS);
    this.#watch(page);
    return page;
  }

  /** A page of somebody who is signed in by name and password. */
  async user(name: string, look: Look = {}): Promise<Page> {
    const page = await this.visitor(look);
    await signIn(page.context(), name);
    return page;
  }

  /** Does something with a page, and once more when the networks of the machine changed meanwhile. */
  async undisturbed(act: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const [changes, offences] = [this.networkChanges, this.offences.length];
      const failure = await act().then(
        () => undefined,
        (error: unknown) => error,
      );
      const isDisturbed = this.networkChanges !== changes;
      if (!isDisturbed && failure === undefined) return;
      if (!isDisturbed || attempt === 5) throw failure ?? new Error("The networks of this machine never rest.");
      this.offences.length = offences;
    }
  }

  async makeUser(name: string, role: "admin" | "operator" | "viewer", scope?: string): Promise<void> {
    const scopes = scope === undefined ? {} : { scopes: [scope] };
    const { status, json } = await this.place.ask("POST", "/api/v1/users", {
      name,
      role,
      password: PASSWORD,
      ...scopes,
    });
    if (status !== 201) throw new Error(`The user ${name} could not be made: ${status} ${JSON.stringify(json)}`);
  }

  #watch(page: Page): void {
    page.on("pageerror", (error) => this.offences.push(`error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !/Failed to load resource|WebSocket|ERR_/.test(message.text())) {
        this.offences.push(`console: ${message.text()}`);
      }
    });
    page.on("requestfailed", (request) => {
      if (request.failure()?.errorText === "net::ERR_NETWORK_CHANGED") this.networkChanges += 1;
    });
    // Requests may still be told of when the place is gone.
    const own = new URL(this.url).host;
    page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith("http") && host !== own) this.offences.push(`asked ${request.url()}`);
    });
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.place.dispose();
  }
}

export const PASSWORD = "correct horse battery staple";

async function signIn(context: BrowserContext, name: string): Promise<void> {
  const answer = await context.request.post("/api/v1/login", { data: { name, password: PASSWORD } });
  if (!answer.ok()) throw new Error(`Signing in as ${name} was answered with ${answer.status()}`);
}

/** Kept under .cache/screenshots of the repository, for people to look at. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}
