import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { CommandError } from "../../src/lib/command-error.ts";
import { FileError } from "../../src/lib/file-error.ts";
import { UnreachableError } from "../../src/lib/unreachable-error.ts";
import type { Command, CommandResult } from "../../src/ports/connector.ts";
import type { RemoteMachine } from "../../src/ports/machines.ts";
import type { ListedCommand, ListedResult } from "../../src/ports/run-all.ts";

/** What a program of the fake says and how it ends. */
export interface Said {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr?: string;
}

export const ok = (stdout = ""): Said => ({ exitCode: 0, stdout });
export const no = (stderr = ""): Said => ({ exitCode: 1, stdout: "", stderr });

export type Program = (args: readonly string[], machine: FakeMachine, stdin: string) => Said;

const BINARY = "base64:";
/** Files are texts; one that is none is kept in another form. */
export const textOf = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes).toString();
  return Buffer.from(text).equals(bytes) ? text : `${BINARY}${Buffer.from(bytes).toString("base64")}`;
};
const bytesOf = (text: string): Buffer =>
  text.startsWith(BINARY) ? Buffer.from(text.slice(BINARY.length), "base64") : Buffer.from(text);

export const sumOf = (text: string): string => createHash("sha256").update(bytesOf(text)).digest("hex");

/** A machine that has files and units, and knows the programs that it is given; nothing runs for real. */
export class FakeMachine implements RemoteMachine {
  readonly host: string;
  readonly files = new Map<string, string>();
  readonly units = new Map<string, { enabled: boolean; active: boolean }>();
  /** Every command, in order. */
  readonly ran: (readonly string[])[] = [];
  /** What it tells of itself besides, or instead: lines as the script of the facts prints them. */
  readonly tells: string[] = [];
  /** Nobody can ask it anything. */
  isCutOff = false;
  readonly #programs: Readonly<Record<string, Program>>;

  constructor(host: string, programs: Readonly<Record<string, Program>>) {
    this.host = host;
    this.#programs = programs;
  }

  has(path: string): boolean {
    return [...this.files.keys()].some((file) => file === path || file.startsWith(`${path}/`));
  }

  removeAll(path: string): void {
    for (const file of [...this.files.keys()])
      if (file === path || file.startsWith(`${path}/`)) this.files.delete(file);
  }

  async run({ argv, stdin = "" }: Command): Promise<CommandResult> {
    this.#reach(argv);
    const { exitCode, stdout, stderr = "" } = this.#obey(argv, String(stdin));
    return { exitCode, signal: null, stdout, stderr, dropped: { stdout: 0, stderr: 0 } };
  }

  async runAll(commands: readonly ListedCommand[]): Promise<readonly (ListedResult | null)[]> {
    return await Promise.all(
      commands.map(async ({ argv }) => {
        const { signal: _, exitCode, ...output } = await this.run({ argv });
        return { ...output, exitCode: exitCode ?? 0 };
      }),
    );
  }

  async put(path: string, content: Uint8Array): Promise<void> {
    this.#reach(["put", path]);
    this.files.set(path, textOf(content));
  }

  async get(path: string): Promise<Uint8Array> {
    this.#reach(["get", path]);
    const text = this.files.get(path);
    if (text === undefined) throw new FileError("not-found", this.host, path, `${path} is not there.`);
    return bytesOf(text);
  }

  async sendFile(from: string, to: string): Promise<void> {
    this.#reach(["send", to]);
    this.files.set(to, textOf(await readFile(from)));
  }

  async fetchFile(from: string, to: string): Promise<void> {
    await writeFile(to, await this.get(from));
  }

  findMarked = async () => [];
  endMarked = async () => {};
  close = async () => {};

  #reach(argv: readonly [string, ...string[]] | readonly string[]): void {
    if (!this.isCutOff) return;
    const cause = new UnreachableError({ reason: "timed-out", host: this.host, detail: "It does not answer." });
    throw new CommandError({ reason: "unreachable", host: this.host, argv, note: cause.message, cause });
  }

  #obey(argv: readonly string[], stdin: string): Said {
    this.ran.push(argv);
    const isScript = argv[0] === "sh";
    const name = (isScript ? argv[3] : argv[0]?.split("/").at(-1)) ?? "";
    const program = this.#programs[name];
    if (program === undefined) throw new Error(`The fake machine knows no ${name}: ${argv.join(" ").slice(0, 200)}`);
    return program(argv.slice(isScript ? 4 : 1), this, stdin);
  }
}
