import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { startSshd, whyNoSshd } from "../../../test/ssh/private-sshd.ts";
import { openProxy } from "../../../test/ssh/proxy.ts";
import { openPool, openScripted, openServer, SERVERS } from "../../../test/ssh/servers.ts";
import type { SshServer } from "../../../test/ssh/ssh-server.ts";
import { waitFor } from "../../../test/wait-for.ts";
import { placePart } from "./send-file.ts";
import type { SshPoolOptions } from "./ssh-pool.ts";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drover-broken-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

async function connectOverProxy(start: () => Promise<SshServer>, options: SshPoolOptions = {}) {
  const server = await openServer(start);
  const proxy = await openProxy(server.port);
  const connector = openPool(options).connect({ ...server.target, port: proxy.port });
  return { server, proxy, connector };
}

const waitForFile = (path: string) => waitFor(async () => expect(await readFile(path, "utf8")).not.toBe(""));

describe.each(SERVERS)("a connection that breaks (%s)", (_, start) => {
  it("leaves the end of a command unknown, which is said and not tried again", async () => {
    const { proxy, connector } = await connectOverProxy(start);
    const path = join(folder, "ran");
    const argv = ["sh", "-c", 'echo once >>"$1"; sleep 1; echo twice >>"$1"', "sh", path] as const;
    const running = connector.run({ argv }).catch((error) => error);
    await waitForFile(path);
    proxy.cut();
    expect(await running).toMatchObject({ reason: "outcome-unknown" });
    expect((await running).message).toContain("before it is repeated");
    expect(await connector.run({ argv: ["echo", "again"] })).toMatchObject({ stdout: "again\n" });
    expect(proxy.counts.connections).toBe(2);
    expect((await readFile(path, "utf8")).match(/once/g)).toHaveLength(1);
  });

  it("leaves the end of a list unknown as well", async () => {
    const { proxy, connector } = await connectOverProxy(start);
    const path = join(folder, "ran");
    const script = 'echo x >"$1"; sleep 5';
    const running = connector.runAll([{ argv: ["sh", "-c", script, "sh", path] }]).catch((error) => error);
    await waitForFile(path);
    proxy.cut();
    expect(await running).toMatchObject({ reason: "outcome-unknown" });
  });

  it("while nothing runs is noticed by nobody", async () => {
    const { proxy, connector } = await connectOverProxy(start);
    await connector.run({ argv: ["true"] });
    proxy.cut();
    const runs = async () => expect(await connector.run({ argv: ["true"] })).toMatchObject({ exitCode: 0 });
    await waitFor(runs);
  });

  it("does not end a command, which can be found by its mark and ended", async () => {
    const { proxy, connector } = await connectOverProxy(start);
    const mark = `drover-test-${process.pid}-${Math.random()}`;
    const path = join(folder, "ran");
    const argv = ["sh", "-c", 'sleep 60 & echo x >"$1"; wait', "sh", path] as const;
    const running = connector.run({ argv, mark }).catch((error) => error);
    await waitForFile(path);
    proxy.cut();
    expect(await running).toMatchObject({ reason: "outcome-unknown" });
    expect((await connector.findMarked(mark)).length).toBeGreaterThanOrEqual(2);
    await connector.endMarked(mark);
    expect(await connector.findMarked(mark)).toEqual([]);
  });

  it.each([
    ["without input", undefined],
    ["with input", "some\0input"],
  ])("ends a command that is tied to it, %s", async (_name, stdin) => {
    const { proxy, connector } = await connectOverProxy(start);
    const mark = `drover-test-${process.pid}-${Math.random()}`;
    const path = join(folder, "ran");
    const script = 'cat >"$1"; echo x >>"$1"; (trap "" TERM; sleep 60) & sleep 60';
    const command = {
      argv: ["sh", "-c", script, "sh", path] as const,
      mark,
      ...(stdin === undefined ? {} : { stdin }),
    };
    const running = connector.run(command, { tied: true }).catch((error) => error);
    await waitFor(async () => expect(await readFile(path, "utf8")).toBe(`${stdin ?? ""}x\n`));
    proxy.cut();
    expect(await running).toMatchObject({ reason: "outcome-unknown" });
    await waitFor(async () => expect(await connector.findMarked(mark)).toEqual([]));
  });

  it("ends all groups of processes of a tied command", async () => {
    const { proxy, connector } = await connectOverProxy(start);
    const mark = `drover-test-${process.pid}-${Math.random()}`;
    const path = join(folder, "ran");
    // timeout makes a group of its own.
    const script = 'timeout 60 sh -c \'trap "" TERM; echo x >"$1"; sleep 60\' sh "$1"';
    const running = connector.run({ argv: ["sh", "-c", script, "sh", path], mark }, { tied: true }).catch(() => {});
    await waitForFile(path);
    proxy.cut();
    await running;
    await waitFor(async () => expect(await connector.findMarked(mark)).toEqual([]));
  });

  it("changes nothing for a tied command that ends by itself", async () => {
    const { connector } = await connectOverProxy(start);
    const run = (script: string) => connector.run({ argv: ["sh", "-c", script], stdin: "in" }, { tied: true });
    expect(await run("cat; exit 7")).toMatchObject({ exitCode: 7, stdout: "in" });
    expect(await run("kill -9 $$")).toMatchObject({ exitCode: null, signal: "SIGKILL" });
  });

  it("leaves the old file when it breaks in the middle of the new one", async () => {
    const { proxy, connector } = await connectOverProxy(start);
    const path = join(folder, "kept");
    await connector.put(path, Buffer.from("old"));
    proxy.cutAfter(1_000_000);
    await expect(connector.put(path, Buffer.alloc(8_000_000, "x"))).rejects.toMatchObject({ reason: "unreachable" });
    expect(await readFile(path, "utf8")).toBe("old");
    await waitFor(() => expect(readdirSync(folder)).toEqual(["kept"]));
  });

  it("is made good in the middle of a large file, which is not sent anew", async () => {
    const { proxy, connector } = await connectOverProxy(start);
    const [from, to, back] = [join(folder, "from"), join(folder, "to"), join(folder, "back")];
    const content = Buffer.alloc(24_000_000, "0123456789abcde\n");
    await writeFile(from, content);
    proxy.cutAfter(12_000_000);
    await connector.sendFile(from, to, { mode: 0o640 });
    expect(Buffer.compare(await readFile(to), content)).toBe(0);
    expect(proxy.counts.connections).toBe(2);
    expect(proxy.counts.bytesToServer).toBeLessThan(content.length + 8_000_000);
    await connector.fetchFile(to, back);
    expect(Buffer.compare(await readFile(back), content)).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(["back", "from", "to"]);
  });
});

describe.each(SERVERS)("a line that is cut without a word (%s)", (_, start) => {
  it("does not keep a file from being sent on, although the host waits for the rest", async () => {
    const { proxy, connector } = await connectOverProxy(start, { keepaliveMs: 500, keepaliveMisses: 3 });
    const [from, to] = [join(folder, "from"), join(folder, "to")];
    const content = Buffer.alloc(24_000_000, "0123456789abcde\n");
    await writeFile(from, content);
    let isCut = false;
    const onProgress = (sent: number) => {
      if (isCut || sent < 8_000_000) return;
      isCut = true;
      proxy.swallow(true);
    };
    const sending = connector.sendFile(from, to, { onProgress });
    await waitFor(() => expect(isCut).toBe(true));
    await proxy.nextClosed();
    proxy.swallow(false);
    await sending;
    expect(Buffer.compare(await readFile(to), content)).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(["from", "to"]);
  });
});

describe("a part of a file that somebody else writes", () => {
  /** Holds the part as a transfer does. */
  async function holdPart(to: string, content: string, script: string, ...values: readonly string[]) {
    const line = placePart(to, sha256Of(content)).find((text) => text.startsWith("temporary=")) ?? "";
    const part = line.slice("temporary=".length).replaceAll("'", "");
    const holding = 'exec 9>>"$1"; flock 9; echo held; eval "$2"';
    const holder = spawn("sh", ["-c", holding, "sh", part, script, ...values], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(() => void holder.kill("SIGKILL"));
    await once(holder.stdout, "data");
    return { part, holder };
  }

  it("is left to it, and what it has finished is not written to", async () => {
    const { target } = await openScripted();
    const connector = openPool().connect(target);
    const [from, to, elsewhere] = [join(folder, "from"), join(folder, "to"), join(folder, "elsewhere")];
    await writeFile(from, "content");
    const { part, holder } = await holdPart(to, "content", 'read -r go; printf whole >&9; mv "$1" "$3"', elsewhere);
    const sending = connector.sendFile(from, to);
    await waitFor(() => expect(isWaitedFor(part)).toBe(true));
    holder.stdin.write("go\n");
    await sending;
    expect(await readFile(elsewhere, "utf8")).toBe("whole");
    expect(await readFile(to, "utf8")).toBe("content");
  });

  it("is not taken from one that goes on", async () => {
    const { target } = await openScripted();
    const connector = openPool().connect(target);
    const [from, to] = [join(folder, "from"), join(folder, "to")];
    const content = "x".repeat(1_000_000);
    await writeFile(from, content);
    const { part } = await holdPart(to, content, "while sleep 0.1; do printf x >&9; done");
    await expect(connector.sendFile(from, to)).rejects.toMatchObject({
      reason: "failed",
      message: expect.stringContaining("under way"),
    });
    expect(existsSync(part)).toBe(true);
  });
});

describe("a host that falls silent", () => {
  it.each(SERVERS)("holds nobody up beyond the deadline, and is asked anew when it is back (%s)", async (_, start) => {
    const { proxy, connector } = await connectOverProxy(start, { connectMs: 3_000 });
    await connector.run({ argv: ["true"] });
    // Until a shell waits there, as it does for every command but the first.
    await sleep(500);
    proxy.swallow(true);
    const options = { deadlineMs: 300, graceMs: 100 };
    const error = await connector.run({ argv: ["sleep", "60"] }, options).catch((caught) => caught);
    expect(error).toMatchObject({ reason: "timed-out", cause: { name: "UnreachableError" } });
    expect(error.message).toContain("may run still");
    const other = await connector.run({ argv: ["true"] }, options).catch((caught) => caught);
    expect(other).toMatchObject({ reason: "timed-out", cause: { name: "UnreachableError" } });
    expect(other.message).toContain("as the host did not answer");
    const list = await connector.runAll([{ argv: ["true"] }], options).catch((caught) => caught);
    expect(list).toMatchObject({ cause: { name: "UnreachableError" } });
    proxy.swallow(false);
    // Whoever has begun to connect before that has to wait in vain.
    const back = async () =>
      expect(await connector.run({ argv: ["echo", "back"] })).toMatchObject({ stdout: "back\n" });
    await waitFor(back);
  });

  it.skipIf(whyNoSshd() !== null)("because its sshd was stopped does not either", async () => {
    const server = await openServer(startSshd);
    const connector = openPool({ connectMs: 3_000 }).connect(server.target);
    await connector.run({ argv: ["true"] });
    const pids = listDescendants(server.pids[0] ?? 0).filter((pid) => nameOf(pid) === "sshd");
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    onTestFinished(() => {
      for (const pid of pids) process.kill(pid, "SIGKILL");
    });
    const options = { deadlineMs: 300, graceMs: 100 };
    expect(await connector.run({ argv: ["true"] }, options).catch((caught) => caught)).toMatchObject({
      reason: "timed-out",
    });
    expect(await connector.run({ argv: ["echo", "anew"] })).toMatchObject({ stdout: "anew\n" });
  });

  it("for a moment only is asked again at once", async () => {
    const { connector } = await connectOverProxy(openScripted, { connectMs: 600_000 });
    await connector.run({ argv: ["true"] });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    // Each of them doubts the host when it is called off before it was started.
    const calledOff = new AbortController();
    const runs = Array.from({ length: 20 }, () =>
      connector.run({ argv: ["sleep", "0.2"] }, { signal: calledOff.signal }).catch((error) => error),
    );
    calledOff.abort();
    await Promise.all(runs);
    expect(await connector.run({ argv: ["echo", "there"] })).toMatchObject({ stdout: "there\n" });
  });

  it("is noticed by its missing answers, although nobody waits for a deadline", async () => {
    const { proxy, connector } = await connectOverProxy(openScripted, { keepaliveMs: 100, keepaliveMisses: 2 });
    const running = connector.run({ argv: ["sleep", "60"] }, { tied: true }).catch((error) => error);
    await connector.run({ argv: ["true"] });
    proxy.swallow(true);
    expect(await running).toMatchObject({ reason: "outcome-unknown" });
  });
});

it("says so when the disk of the host is full, and leaves nothing behind", async () => {
  const server = await openScripted({ prelude: "trap '' XFSZ; ulimit -f 200" });
  const connector = openPool().connect(server.target);
  const content = Buffer.alloc(4_000_000, "x");
  await writeFile(join(folder, "from"), content);
  const path = join(folder, "large");
  for (const put of [() => connector.put(path, content), () => connector.sendFile(join(folder, "from"), path)]) {
    const error = await put().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ reason: "failed", message: expect.stringContaining("File too large") });
  }
  expect(readdirSync(folder)).toEqual(["from"]);
});

it("refuses a file that is not what it should be, here and there", async () => {
  const server = await openScripted();
  const connector = openPool().connect(server.target);
  const [from, to] = [join(folder, "from"), join(folder, "to")];
  await writeFile(from, "content");
  const sha256 = "0".repeat(64);
  await expect(connector.sendFile(from, to, { sha256 })).rejects.toMatchObject({ reason: "failed" });
  await expect(connector.fetchFile(from, to, { sha256 })).rejects.toMatchObject({ reason: "failed" });
  await expect(connector.sendFile(`${from}-missing`, to)).rejects.toMatchObject({ reason: "not-found" });
  expect(readdirSync(folder)).toEqual(["from"]);
});

const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Whether anybody waits for the lock on this file. */
function isWaitedFor(path: string): boolean {
  const { ino } = statSync(path);
  const lines = readFileSync("/proc/locks", "utf8").split("\n");
  return lines.some((line) => line.includes("->") && line.includes(`:${ino} `));
}

function listDescendants(pid: number): number[] {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
  return [...children, ...children.flatMap(listDescendants)];
}

function parentOf(pid: string): number {
  const text = readStat(pid);
  return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
}

const nameOf = (pid: number): string => /\((.*)\)/.exec(readStat(String(pid)))?.[1] ?? "";

function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return "";
  }
}
