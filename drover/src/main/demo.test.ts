import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { startDrover } from "../../test/start-drover.ts";
import { waitFor } from "../../test/wait-for.ts";
import { systemClock } from "../ports/clock.ts";
import { FileWorld } from "../providers/simulated/file-world.ts";

// A busy machine takes its time to start a process.
vi.setConfig({ testTimeout: 120_000 });

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "drover-demo-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("fills a fleet in its own process and says that everything is right", async () => {
  const folder = makeFolder();
  const drover = startDrover("demo", "--clusters", "3", "--data-dir", folder);
  expect(await drover.ended).toBe(0);
  expect(drover.seen.out).toMatch(/running +3\n[\s\S]*actual +as desired\n[\s\S]*Everything is right\.\n$/);
});

it("works in processes beside its own, and leaves none of them and no password behind", async () => {
  const folder = makeFolder();
  const drover = startDrover("demo", "--clusters", "3", "--workers", "1", "--data-dir", folder);
  expect(await drover.ended).toBe(0);
  expect(drover.seen.out).toMatch(/workers +1, 0 killed\n[\s\S]*Everything is right\.\n$/);
  expect(readdirSync(folder).filter((file) => file.endsWith(".yaml"))).toEqual([]);
});

it("gives no verdict, and ends with 1, when it is stopped before the end", async () => {
  const folder = makeFolder();
  const drover = startDrover("demo", "--clusters", "1", "--seconds", "600", "--data-dir", folder);
  const world = new FileWorld(join(folder, "simulated.jsonl"), systemClock);
  onTestFinished(() => world.close());
  const mine = await waitFor(() => {
    const [first] = world.read().clusters.values();
    if (first === undefined) throw new Error("There is no cluster yet.");
    return first;
  });
  drover.child.kill("SIGINT");
  expect(await drover.ended).toBe(1);
  expect(drover.seen.out).toContain("Stopped before the end");
  expect(mine.name).toMatch(/^demo-/);
});
