import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBuild } from "../../scripts/lib/ensure-build.mjs";
import { markOfRun } from "./mark-of-run.ts";

const BIN = fileURLToPath(new URL("../../drover/bin/drover.mjs", import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Data of any shape: tests look into it and compare what they find. */
type Loose = ReturnType<typeof JSON.parse>;

export interface Started {
  readonly child: ChildProcess;
  readonly seen: { out: string; err: string };
  readonly ended: Promise<Ran>;
}

/** A folder with a user of its own: data, configuration, and `drover` in the path. */
export class Place {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(folder: string, variables: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#env = {
      PATH: [join(folder, "bin"), process.env.PATH].join(delimiter),
      HOME: folder,
      DROVER_DATA_DIR: join(folder, "data"),
      DROVER_LISTEN_PORT: "0",
      EDITOR: join(folder, "bin/editor"),
      ...markOfRun(),
      ...variables,
    };
  }

  static async make(variables: NodeJS.ProcessEnv = {}): Promise<Place> {
    await ensureBuild();
    const folder = mkdtempSync(join(tmpdir(), "drover-e2e-cli-"));
    mkdirSync(join(folder, "bin"));
    const place = new Place(folder, variables);
    place.#writeProgram("drover", `exec "${process.execPath}" "${BIN}" "$@"`);
    place.#writeProgram("editor", `sed -i 's/workers: .*/workers: 1 # by the editor/' "$1"`);
    return place;
  }

  #writeProgram(name: string, line: string): void {
    const file = join(this.folder, "bin", name);
    writeFileSync(file, `#!/bin/sh\n${line}\n`);
    chmodSync(file, 0o755);
  }

  write(name: string, text: string): void {
    const file = join(this.folder, name);
    mkdirSync(join(file, ".."), { recursive: true });
    // As private as a master key has to be.
    writeFileSync(file, text, { mode: 0o600 });
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  start(program: string, args: readonly string[]): Started {
    const child = spawn(program, args, { cwd: this.folder, env: this.#env, stdio: ["ignore", "pipe", "pipe"] });
    const seen = { out: "", err: "" };
    child.stdout.on("data", (chunk) => {
      seen.out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      seen.err += chunk;
    });
    const ended = new Promise<Ran>((resolve) => child.on("close", (code) => resolve({ code, ...seen })));
    return { child, seen, ended };
  }

  drover(...args: readonly string[]): Started {
    return this.start(process.execPath, [BIN, ...args]);
  }

  async run(...args: readonly string[]): Promise<Ran> {
    return await this.drover(...args).ended;
  }

  /** Runs it and throws when it does not end with 0. */
  async must(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await this.run(...args);
    if (code !== 0) throw new Error(`drover ${args.join(" ")} ended with ${code}: ${out}${err}`);
    return out;
  }

  /** What a command prints with `-o json`. */
  async json<T>(...args: readonly string[]): Promise<T> {
    return JSON.parse(await this.must(...args, "-o", "json")) as T;
  }

  get pid(): number {
    return (JSON.parse(this.read("data/run.json")) as { pid: number }).pid;
  }

  get url(): string {
    return (JSON.parse(this.read("data/run.json")) as { url: string }).url;
  }

  /** Asks the server without a process of its own, for what a test needs and does not examine. */
  async ask(method: string, path: string, body?: object | string): Promise<{ status: number; json: Loose }> {
    const { url, token } = JSON.parse(this.read("data/cli.json")) as { url: string; token: string };
    const type = typeof body === "string" ? "application/yaml" : "application/json";
    const answer = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { "content-type": type }) },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: text.startsWith("{") ? JSON.parse(text) : null };
  }

  async dispose(): Promise<void> {
    if (existsSync(join(this.folder, "data/run.json"))) await this.run("down");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The limit catches what hangs: other suites need the processors, too. */
export async function waitUntil(test: () => boolean, what: string, patienceMs = 180_000): Promise<void> {
  const until = performance.now() + patienceMs;
  while (!test()) {
    if (performance.now() > until) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A simulated cluster whose steps take so long. */
/** Each call to the simulated cloud takes this long, so that a job lasts longer than any test. */
export const LASTING_MS = 600_000;

export function describeCluster(name: string, { workers = 2, ms = 10 } = {}): string {
  return `apiVersion: drover.dev/v1alpha1
kind: Cluster
metadata:
  name: ${name}
  labels: { env: dev }
spec:
  provider: simulated
  kubernetes: { version: v1.34.0 }
  simulated:
    workers: ${workers}
    latency: { minimumMs: ${ms}, maximumMs: ${ms} }
`;
}
