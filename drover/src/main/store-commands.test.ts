import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { startDrover } from "../../test/start-drover.ts";

// Each command is a process of its own, and a busy machine takes its time to start one.
vi.setConfig({ testTimeout: 120_000 });

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "drover-store-commands-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function run(dataDir: string, ...args: string[]) {
  const { ended, seen } = startDrover("store", ...args, "--data-dir", dataDir);
  return { code: await ended, ...seen };
}

it("backs a store up while Drover runs, and restores it elsewhere", async () => {
  const folder = makeFolder();
  const [here, there, backup] = ["here", "there", "backup.db"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const drover = startDrover("up", "--port", "0", "--data-dir", here);
  await drover.url;
  expect(await run(here, "backup", backup)).toMatchObject({ code: 0, out: expect.stringContaining(`Wrote ${backup}`) });
  expect(existsSync(backup)).toBe(true);

  mkdirSync(there);
  copyFileSync(join(here, "master.key"), join(there, "master.key"));
  expect(await run(there, "restore", backup)).toMatchObject({
    code: 0,
    out: expect.stringContaining("all fit together"),
  });
});

it("checks a store, and puts it under a new master key", async () => {
  const folder = makeFolder();
  const next = join(folder, "next.key");
  expect(await run(folder, "check")).toMatchObject({ code: 0, out: expect.stringContaining("Store: sqlite") });
  expect((await run(folder, "rotate-key", next)).code).toBe(0);
  const old = await run(folder, "check");
  expect([old.code, old.err]).toEqual([1, expect.stringContaining("(master-key-wrong)")]);
  expect((await run(folder, "check", "--master-key-file", next)).code).toBe(0);
});

it("says what to do about a backup that is none", async () => {
  const folder = makeFolder();
  const { code, err } = await run(folder, "restore", join(folder, "missing.db"));
  expect(code).toBe(1);
  expect(err).toMatch(/\(backup-unusable\)\n[A-Z]/);
});
