import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openPool, openScripted } from "../../../test/ssh/servers.ts";
import { waitFor } from "../../../test/wait-for.ts";
import type { SshConnector } from "./ssh-connector.ts";

/** Longer than silence is waited for. */
const LONG_MS = 1_000;
const CONTENT = "late ".repeat(10_000);

let folder = "";
let path = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drover-late-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  path = join(folder, "file");
  writeFileSync(path, CONTENT);
});

async function openLate(...verdicts: readonly (Promise<"send" | "drop"> | "send" | "drop")[]) {
  const left = [...verdicts];
  const server = await openScripted({ late: { from: "late", until: async () => (await left.shift()) ?? "send" } });
  return { server, connector: openPool().connect(server.target) };
}

const after = async (verdict: "send" | "drop") => {
  await sleep(LONG_MS);
  return verdict;
};

const never = new Promise<never>(() => {});
const failure = (running: Promise<unknown>) => running.then(() => null).catch((error: unknown) => error);

describe("output that comes long after the end of a command", () => {
  it("is not lost", async () => {
    const { connector } = await openLate(after("send"));
    expect(await connector.run({ argv: ["echo", "late"] })).toMatchObject({ exitCode: 0, stdout: "late\n" });
  });

  it("is not lost when it is a file", async () => {
    const { connector } = await openLate(after("send"), after("send"));
    expect(Buffer.from(await connector.get(path)).toString()).toBe(CONTENT);
    await connector.fetchFile(path, join(folder, "fetched"));
    expect(readFileSync(join(folder, "fetched"), "utf8")).toBe(CONTENT);
  });

  it("is waited for no longer than the deadline, and a part is not taken for all", async () => {
    const { connector } = await openLate(never, never);
    const deadlineMs = 2 * LONG_MS;
    const running = connector.run({ argv: ["echo", "late"] }, { deadlineMs });
    expect(await failure(running)).toMatchObject({ reason: "timed-out" });
    const signal = AbortSignal.timeout(deadlineMs);
    expect(await failure(connector.fetchFile(path, join(folder, "fetched"), { signal }))).toMatchObject({
      reason: "failed",
      cause: { name: "TimeoutError" },
    });
  });

  it.each([
    ["a command", "outcome-unknown", (connector: SshConnector) => connector.run({ argv: ["echo", "late"] })],
    ["a file", "unreachable", (connector: SshConnector) => connector.get(path)],
  ])("is known to be missing when the connection breaks before it: %s", async (_, reason, begin) => {
    const { server, connector } = await openLate(never);
    const running = failure(begin(connector));
    await waitFor(() => expect(server.counts.exits).toBe(1));
    // Its answer comes after the word of that end.
    await connector.run({ argv: ["true"] });
    server.cut();
    expect(await running).toMatchObject({ reason });
  });
});

describe("a file of which only a part arrives", () => {
  it("is not taken for whole", async () => {
    const { connector } = await openLate("drop");
    expect(await failure(connector.get(path))).toMatchObject({ reason: "unreachable" });
    expect(Buffer.from(await connector.get(path)).toString()).toBe(CONTENT);
  });

  it("is fetched from where it broke off", async () => {
    const { connector } = await openLate("drop", "drop");
    await connector.fetchFile(path, join(folder, "fetched"));
    expect(readFileSync(join(folder, "fetched"), "utf8")).toBe(CONTENT);
  });
});

it("reads what has no size of its own", async () => {
  const { connector } = await openLate();
  expect(Buffer.from(await connector.get("/proc/version")).toString()).toBe(readFileSync("/proc/version", "utf8"));
});
