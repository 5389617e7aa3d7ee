import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ensureBuild } from "../../../scripts/lib/ensure-build.mjs";
import { markOfRun } from "../../support/mark-of-run.ts";

const BIN = fileURLToPath(new URL("../../../drover/bin/drover.mjs", import.meta.url));
const PROBE = new URL("./event-loop-probe.mjs", import.meta.url).href;
/** Catches what hangs: other suites need the processors, too. */
const PATIENCE_MS = 180_000;

/** Data of any shape: tests look into it and compare what they find. */
type Loose = ReturnType<typeof JSON.parse>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Loose;
}

interface StartOptions {
  /** Left out: a SQLite file of its own. */
  readonly store?: string;
  readonly flags?: readonly string[];
}

/** A Drover process in a folder of its own; everything it left is gone when it is disposed of. */
export class Drover {
  readonly folder: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #said = "";

  private constructor(command: string, folder: string, { store, flags = [] }: StartOptions) {
    this.folder = folder;
    const env = {
      ...{ PATH: process.env.PATH, HOME: folder, DROVER_DATA_DIR: folder, DROVER_LISTEN_PORT: "0" },
      ...(store === undefined ? {} : { DROVER_STORE: store }),
      ...markOfRun(),
      ...{ DROVER_LOG_LEVEL: "warn", DROVER_TEST_LOOP_FILE: join(folder, "loop.json") },
    };
    this.#child = spawn(process.execPath, ["--import", PROBE, BIN, command, ...flags], {
      ...{ env, stdio: ["ignore", "pipe", "pipe"] },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (chunk) => {
        this.#said = (this.#said + String(chunk)).slice(-20_000);
      });
    }
    this.#ended = new Promise((resolve) => this.#child.once("close", resolve));
  }

  static async start(command: "up" | "server" | "worker", options: StartOptions = {}): Promise<Drover> {
    await ensureBuild();
    const folder = mkdtempSync(join(tmpdir(), "drover-e2e-api-"));
    // The same for all who share a store.
    writeFileSync(join(folder, "master.key"), "07".repeat(32), { mode: 0o600 });
    const drover = new Drover(command, folder, options);
    const isUp = () => (command === "worker" ? drover.#said.includes("is running") : existsSync(drover.#cliFile));
    await until(() => isUp() || drover.#child.exitCode !== null, `${command} to be up`);
    if (!isUp()) throw new Error(`drover ${command} has ended: ${drover.#said}`);
    return drover;
  }

  get #cliFile(): string {
    return join(this.folder, "cli.json");
  }

  /** What it said last, for messages. */
  get said(): string {
    return this.#said;
  }

  get access(): { readonly url: string; readonly token: string } {
    return JSON.parse(readFileSync(this.#cliFile, "utf8"));
  }

  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const { url, token } = this.access;
    const isText = typeof body === "string";
    const answer = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": isText ? "application/yaml" : "application/json" }),
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json") === true && text !== "";
    return { status: answer.status, headers: answer.headers, json: isJson ? JSON.parse(text) : null };
  }

  /** The longest that its event loop was held since it was last asked. */
  async readLoop(): Promise<{ readonly heldMs: number; readonly lateMs: number }> {
    const file = join(this.folder, "loop.json");
    rmSync(file, { force: true });
    this.#child.kill("SIGUSR2");
    await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("}"), "the figures of the event loop");
    return JSON.parse(readFileSync(file, "utf8"));
  }

  async dispose(): Promise<void> {
    this.#child.kill("SIGTERM");
    await Promise.race([this.#ended, sleep(10_000)]);
    this.#child.kill("SIGKILL");
    await this.#ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function until(test: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await test())) {
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}.`);
    await sleep(20);
  }
}

/** A simulated cluster whose calls take so long. */
export const describeCluster = (name: string, { workers = 2, ms = 10 } = {}) => `
apiVersion: drover.dev/v1alpha1
kind: Cluster
metadata: { name: ${name}, labels: { env: dev } }
spec:
  provider: simulated
  kubernetes: { version: v1.34.4 }
  simulated: { workers: ${workers}, latency: { minimumMs: ${ms}, maximumMs: ${ms} } }
`;
