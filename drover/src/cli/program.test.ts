import { DroverError } from "@drover/contract";
import { describe, expect, it } from "vitest";
import { makeTestTerminal } from "../../test/terminal.ts";
import type { Options } from "../config/options.ts";
import type { Handlers } from "./handlers.ts";
import { runCli } from "./program.ts";

/** What a command was called with: its name, its options, its arguments. */
type Call = readonly [string, Options, ...unknown[]];

async function run(args: string[], answer: (call: Call) => Promise<number> = async () => 0) {
  const calls: Call[] = [];
  const handler =
    (name: string) =>
    (options: Options, ...rest: unknown[]) => {
      calls.push([name, options, ...rest]);
      return answer([name, options, ...rest]);
    };
  const names = [
    "up",
    "server",
    "upDetached",
    "status",
    "down",
    "demo",
    "backUp",
    "restore",
    "check",
    "rotateKey",
  ] as const;
  const handlers = Object.fromEntries(names.map((name) => [name, handler(name)])) as unknown as Handlers;
  const { terminal, seen } = makeTestTerminal();
  const code = await runCli(args, "1.2.3", handlers, terminal);
  return { code, out: seen.out, err: seen.err, calls };
}

const failWith = (error: unknown) => run(["up"], () => Promise.reject(error));
const systemError = (code: string, more: object) => Object.assign(new Error(code), { code, ...more });

describe("drover", () => {
  it("prints its version", async () => {
    expect(await run(["--version"])).toMatchObject({ code: 0, out: "1.2.3\n", err: "" });
  });

  it("prints help with every command", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}up\b.*start Drover/m);
  });

  it.each([
    ["an unknown command", ["upp"], /unknown command 'upp'/],
    ["an unknown option", ["--loud"], /unknown option '--loud'/],
    ["an unknown option of a command", ["up", "--prot", "1"], /unknown option '--prot'/],
    ["a value that is missing", ["up", "--port"], /argument missing/],
    ["an argument too many", ["up", "now"], /too many arguments/],
    ["an argument too few", ["store", "backup"], /missing required argument 'file'/],
    ["an unknown command of a group", ["store", "burn"], /unknown command 'burn'/],
    ["an option of another command", ["store", "check", "--port", "1"], /unknown option '--port'/],
    ["a group without a command", ["store"], /Usage: drover store/],
    ["no command at all", [], /Usage: drover/],
  ])("answers %s with 2, a reason and where to read on", async (_, args, reason) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(reason);
    expect(err).toContain("--help");
  });
});

describe("drover up", () => {
  it("hands flags over as options and keeps the exit code", async () => {
    const args = ["up", "--port", "1234", "--keep-idempotency-keys=2h", "--data-dir", "/d"];
    const { code, calls } = await run(args, async () => 7);
    expect(code).toBe(7);
    expect(calls).toMatchObject([["up", { listenPort: 1234, keepIdempotencyKeys: 7_200_000, dataDir: "/d" }]]);
  });

  it("lists every option with its default and its variable", async () => {
    const { out } = await run(["up", "--help"]);
    const flat = out.replace(/\s+/g, " ");
    expect(flat).toContain(
      "--port <port> Port to listen on; 0 takes any free one. (default: 8420, env: DROVER_LISTEN_PORT)",
    );
    expect(flat).toContain("--config <file>");
  });

  it("answers wrong options with 2 and all of them", async () => {
    const { code, err } = await run(["up", "--port", "99999", "--log-level", "loud"]);
    expect(code).toBe(2);
    expect(err).toMatch(/^2 options are wrong:\n {2}--port must be .*\n {2}--log-level must be /);
  });

  it("says what to do about a port in use", async () => {
    const { code, err } = await failWith(systemError("EADDRINUSE", { address: "127.0.0.1", port: 8420 }));
    expect([code, err]).toEqual([
      1,
      "Port 8420 of 127.0.0.1 is in use. End the program that uses it, or choose another port with --port (or DROVER_LISTEN_PORT).\n",
    ]);
  });

  it("says what to do about a port or an address it may not have", async () => {
    expect((await failWith(systemError("EACCES", { address: "::", port: 80 }))).err).toContain("above 1023");
    expect((await failWith(systemError("EADDRNOTAVAIL", { address: "10.9.9.9" }))).err).toContain("--host");
  });

  it("shows what is meant for users without a stack, and a bug with one", async () => {
    const known = await failWith(new DroverError("store-too-new", "The store has schema 9."));
    expect(known.code).toBe(1);
    expect(known.err).toMatch(/^The store has schema 9\. \(store-too-new\)\nStart the newer version/);
    const bug = await failWith(new TypeError("x is not a function"));
    expect(bug.err).toMatch(/did not expect[\s\S]*TypeError: x is not a function\n\s+at /);
    expect((await failWith(systemError("EACCES", { path: "/etc/shadow" }))).err).toContain("did not expect");
  });
});

describe("drover demo", () => {
  const demo = async (...args: string[]) => (await run(["demo", ...args])).calls[0]?.[2];
  const plain = { clusters: 20, faults: false, lastsMs: 0, workers: 0, killEveryMs: null };

  it("only fills a fleet, unless more is asked for", async () => {
    expect(await demo()).toEqual(plain);
    expect(await demo("--clusters", "200")).toEqual({ ...plain, clusters: 200 });
  });

  it("lasts two minutes with faults, unless told otherwise", async () => {
    expect(await demo("--faults")).toEqual({ ...plain, faults: true, lastsMs: 120_000 });
    expect(await demo("--faults", "--seconds", "5")).toEqual({ ...plain, faults: true, lastsMs: 5_000 });
  });

  it("starts and kills workers", async () => {
    expect(await demo("--workers", "3", "--kill-every", "10s")).toEqual({ ...plain, workers: 3, killEveryMs: 10_000 });
  });

  it.each([
    [["--clusters", "0"], /--clusters.*whole number from 1/],
    [["--clusters", "many"], /--clusters.*whole number from 1/],
    [["--seconds", "-1"], /--seconds/],
    [["--workers", "3", "--kill-every", "10"], /--kill-every.*written like 30s/],
    [["--kill-every", "10s"], /--workers/],
  ])("answers %j with 2 and a reason", async (args, reason) => {
    const { code, err, calls } = await run(["demo", ...args]);
    expect([code, calls]).toEqual([2, []]);
    expect(err).toMatch(reason);
  });
});

describe("drover store", () => {
  it.each([
    [
      ["backup", "/b.db"],
      ["backUp", "/b.db"],
    ],
    [
      ["restore", "/b.db"],
      ["restore", "/b.db"],
    ],
    [["check"], ["check"]],
    [
      ["rotate-key", "/new.key"],
      ["rotateKey", "/new.key"],
    ],
  ])("%j reaches its handler with the options of the store", async (args, [name, ...rest]) => {
    const { code, calls } = await run(["store", ...args, "--data-dir", "/d"], async () => 3);
    expect(code).toBe(3);
    expect(calls).toHaveLength(1);
    const [called, options, ...given] = calls[0] as Call;
    expect([called, ...given]).toEqual([name, ...rest]);
    expect(options.store).toEqual({ kind: "sqlite", file: "/d/drover.db" });
  });

  it("lists its commands", async () => {
    const { out } = await run(["store", "--help"]);
    for (const name of ["backup", "restore", "check", "rotate-key"])
      expect(out).toMatch(new RegExp(`^ {2}${name}\\b`, "m"));
  });
});
