import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../ports/clock.ts";
import { auditLedger } from "./audit-ledger.ts";
import { FileWorld, readLedger } from "./file-world.ts";
import type { EntryDraft } from "./ledger.ts";
import { MemoryWorld } from "./memory-world.ts";

let folder: string;
let path: string;
const worlds: FileWorld[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drover-world-"));
  path = join(folder, "ledger.jsonl");
});

afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
  rmSync(folder, { recursive: true });
});

function open(): FileWorld {
  const world = new FileWorld(path, systemClock);
  worlds.push(world);
  return world;
}

const create = (cluster: string, key: string, token = 1): EntryDraft => ({
  call: "create-cluster",
  operation: "create",
  clusterId: cluster,
  clusterName: `name-of-${cluster}`,
  key,
  token,
  input: {},
});

const live = (world: FileWorld, cluster: string) => world.read().clusters.get(cluster)?.objects.length ?? 0;

describe("a ledger file", () => {
  it("holds one line for each call, with all that came with it, readable by its owner only", () => {
    open().append([create("a", "k", 7)]);
    const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      ...{ call: "create-cluster", clusterId: "a", clusterName: "name-of-a", key: "k", token: 7 },
      pid: process.pid,
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("is read on by everyone who has it open, and in whole by whoever opens it later", () => {
    const first = open();
    const second = open();
    first.append([create("a", "k")]);
    expect(live(second, "a")).toBe(1);
    second.append([create("b", "k")]);
    expect(live(first, "b")).toBe(1);
    expect(live(open(), "a") + live(open(), "b")).toBe(2);
  });

  it("lets the first of two with the same key win, and tells the second", () => {
    const first = open();
    const second = open();
    first.read();
    second.read();
    expect(first.append([create("a", "k")])[0]?.effect).toBe("made");
    expect(second.append([create("a", "k")])[0]?.effect).toBe("repeated");
  });

  it("comes to the same as a world in memory", () => {
    const memory = new MemoryWorld(systemClock);
    const drafts = [create("a", "k"), create("a", "k"), create("a", "l", 3), create("a", "m", 2), create("b", "k")];
    open().append(drafts);
    memory.append(drafts);
    const told = (records: ReturnType<typeof readLedger>) => records.map(({ effect, objects }) => [effect, objects]);
    expect(told(readLedger(path))).toEqual(told(memory.records));
  });

  it("passes over a torn line and what is no entry, and goes on behind it", () => {
    const world = open();
    world.append([create("a", "k")]);
    appendFileSync(path, '{"call":"create-cluster","clusterId":"b","clus');
    expect(world.append([create("c", "k")])[0]?.effect).toBe("made");
    appendFileSync(path, 'nonsense\n{"id":"1","at":1,"call":"explode"}\n');
    world.append([create("d", "k")]);
    expect(readLedger(path).map(({ clusterId }) => clusterId)).toEqual(["a", "c", "d"]);
    expect([...open().read().clusters.keys()]).toEqual(["a", "c", "d"]);
  });

  it("waits for the end of a line that is just being written", () => {
    const world = open();
    const [first = "", second = ""] = JSON.stringify({ id: "x", at: 1, pid: 1, ...create("a", "k") }).split(',"key"');
    appendFileSync(path, first);
    expect(live(world, "a")).toBe(0);
    appendFileSync(path, `,"key"${second}\n`);
    expect(live(world, "a")).toBe(1);
  });

  it("that became shorter is not believed", () => {
    const world = open();
    world.append([create("a", "k")]);
    truncateSync(path, 3);
    expect(() => world.read()).toThrow(/became shorter/);
  });

  it("cannot be read where there is none, and is not made by reading", () => {
    expect(() => readLedger(join(folder, "none.jsonl"))).toThrow(/ENOENT/);
    open();
    chmodSync(path, 0o400);
    expect(readLedger(path)).toEqual([]);
  });
});

/* Real processes, which know nothing of each other but the file. */

const PROGRAM = `
  import { FileWorld } from ${JSON.stringify(fileURLToPath(new URL("./file-world.ts", import.meta.url)))};
  import { systemClock } from ${JSON.stringify(fileURLToPath(new URL("../../ports/clock.ts", import.meta.url)))};
  const [path, count, token] = process.argv.slice(1);
  const world = new FileWorld(path, systemClock);
  const made = [];
  process.stdout.write("ready\\n");
  process.stdin.once("data", () => {
    for (let number = 0; number < Number(count); number++) {
      const clusterId = "c" + number;
      const mark = { operation: "create", clusterId, clusterName: clusterId, token: Number(token), input: {} };
      const [record] = world.append([{ call: "create-cluster", key: "key-" + number, ...mark }]);
      if (record.effect === "made") made.push(clusterId);
    }
    process.stdout.write(JSON.stringify(made) + "\\n");
    process.exit(0);
  });
`;

async function startWriter(count: number, token: number): Promise<ChildProcess> {
  const node = ["--conditions=drover-source", "--import", "tsx", "--input-type=module", "--eval", PROGRAM];
  const child = spawn(process.execPath, [...node, path, String(count), String(token)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child;
}

async function readAnswer(child: ChildProcess): Promise<readonly string[]> {
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => void chunks.push(chunk));
  await once(child, "close");
  return JSON.parse(Buffer.concat(chunks).toString()) as string[];
}

describe("several processes at once", () => {
  it("make each thing once, and every one knows which were its own", async () => {
    const count = 2_000;
    const children = await Promise.all([1, 2, 3].map(() => startWriter(count, 5)));
    const answers = children.map((child) => readAnswer(child));
    for (const child of children) child.stdin?.write("go");
    const made = (await Promise.all(answers)).flat();
    expect([made.length, new Set(made).size]).toEqual([count, count]);
    const records = readLedger(path);
    expect(records).toHaveLength(3 * count);
    expect(new Set(records.map(({ pid }) => pid)).size).toBe(3);
    const audit = auditLedger(records);
    expect([audit.creates, audit.doubles]).toEqual([count, []]);
  });

  it("hold nobody up when one is stopped or killed in the middle", async () => {
    const stopped = await startWriter(1_000_000, 1);
    const killed = await startWriter(1_000_000, 1);
    for (const child of [stopped, killed]) child.stdin?.write("go");
    const world = open();
    while (world.read().lines < 1_000) await new Promise((resolve) => setTimeout(resolve, 1));
    stopped.kill("SIGSTOP");
    killed.kill("SIGKILL");
    await once(killed, "close");
    const record = world.append([create("mine", "k")])[0];
    expect(record).toMatchObject({ effect: "made", pid: process.pid });
    expect(auditLedger(readLedger(path)).doubles).toEqual([]);
    stopped.kill("SIGKILL");
    await once(stopped, "close");
  });
});
