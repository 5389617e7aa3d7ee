import { EventEmitter } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { startDrover } from "../../test/start-drover.ts";
import { waitForStop } from "./wait-for-stop.ts";

// A busy machine takes its time to start a process.
vi.setConfig({ testTimeout: 120_000 });

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "drover-up-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it.each(["SIGINT", "SIGTERM"] as const)("runs until %s, keeping its data and key private", async (signal) => {
  const folder = makeFolder();
  const drover = startDrover("up", "--port", "0", "--data-dir", join(folder, "data"));
  const url = await drover.url;
  expect(drover.seen.out).toContain("is running.");
  expect(await (await fetch(`${url}readyz`)).json()).toMatchObject({ status: "ready" });
  expect(await (await fetch(`${url}api/v1/version`)).json()).toMatchObject({ name: "drover" });
  expect(statSync(join(folder, "data/master.key")).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "data/drover.db")).mode & 0o777).toBe(0o600);
  drover.child.kill(signal);
  expect(await drover.ended).toBe(0);
  expect(drover.seen.err).not.toContain("rror");
});

it("prints a link that signs in once, and leaves a token for the commands beside it", async () => {
  const folder = makeFolder();
  const args = ["up", "--port", "0", "--data-dir", folder] as const;
  const drover = startDrover(...args);
  const url = await drover.url;
  await expect.poll(() => drover.seen.out).toMatch(/Sign in +http/);
  const token = /\/login#token=([\w-]+)/.exec(drover.seen.out)?.[1] ?? "";
  const useLink = (to: string) =>
    fetch(`${to}api/v1/login/link`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
  const signedIn = await useLink(url);
  expect(await signedIn.json()).toMatchObject({ name: "admin", role: "admin" });
  expect((await useLink(url)).status).toBe(401);
  const readCli = () => JSON.parse(readFileSync(join(folder, "cli.json"), "utf8")) as { url: string; token: string };
  const cli = readCli();
  expect(cli.url).toBe(url);
  const asCli = (to: string, path: string, init: RequestInit = {}) =>
    fetch(`${to}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${cli.token}`, "content-type": "application/json" },
    });
  const me = await asCli(url, "api/v1/me");
  expect(await me.json()).toMatchObject({ user: { name: "admin", role: "admin" } });
  const { items } = (await (await asCli(url, "api/v1/users")).json()) as { items: { id: string }[] };
  const body = JSON.stringify({ password: "correct horse battery" });
  expect((await asCli(url, `api/v1/users/${items[0]?.id}`, { method: "PATCH", body })).status).toBe(200);
  drover.child.kill("SIGKILL");
  await drover.ended;
  const again = startDrover(...args);
  const later = await again.url;
  expect(readCli()).toEqual({ url: later, token: cli.token });
  await expect.poll(() => again.seen.out).toContain("Ctrl+C");
  expect(again.seen.out).not.toContain("token=");
  again.child.kill("SIGTERM");
  expect(await again.ended).toBe(0);
  expect(statSync(join(folder, "cli.json"), { throwIfNoEntry: false })).toBeUndefined();
  expect(again.seen.err + drover.seen.err).not.toContain(token);
});

it("ends with 1 and the next move when the port is in use", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const drover = startDrover("up", "--port", String(port), "--data-dir", makeFolder());
  expect(await drover.ended).toBe(1);
  expect(drover.seen.err).toMatch(new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use\\..*--port`, "m"));
});

it("ends with 1 and says what to do when the store is not a database, and leaves it as it was", async () => {
  const folder = makeFolder();
  const file = join(folder, "drover.db");
  writeFileSync(file, "not a database, but long enough to look like something that matters\n".repeat(100));
  writeFileSync(join(folder, "master.key"), "0".repeat(64));
  const before = statSync(file).mtimeMs;
  const drover = startDrover("up", "--port", "0", "--data-dir", folder);
  expect(await drover.ended).toBe(1);
  expect(drover.seen.err).toContain("(store-damaged)");
  expect(statSync(file).mtimeMs).toBe(before);
});

it("refuses a store whose master key is gone instead of making a new one", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "drover.db"), "SQLite format 3\0");
  const drover = startDrover("up", "--port", "0", "--data-dir", folder);
  expect(await drover.ended).toBe(1);
  expect(drover.seen.err).toContain("(master-key-unusable)");
  expect(statSync(join(folder, "master.key"), { throwIfNoEntry: false })).toBeUndefined();
});

it("ends at once when it is asked a second time while it is stopping", async () => {
  const events = new EventEmitter();
  const codes: number[] = [];
  const stopped = waitForStop(events, (code) => {
    codes.push(code);
    return undefined as never;
  });
  events.emit("SIGTERM");
  expect(await stopped).toBe("SIGTERM");
  expect(codes).toEqual([]);
  events.emit("SIGINT");
  expect(codes).toEqual([1]);
});
