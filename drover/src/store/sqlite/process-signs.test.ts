import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { createSqliteDatabase } from "../../../test/database.ts";
import { createWorld } from "../../../test/store-world.ts";
import type { Json } from "../../ports/store/index.ts";
import {
  claimOne,
  declareAndClaim,
  LEASE_MS,
  refusalOf,
  type StoreWorld,
  workerAt,
} from "../../ports/store/world.conformance.ts";
import { openRawDatabase } from "./raw-database.ts";

let world: StoreWorld;
beforeEach(async () => {
  world = await createWorld("sqlite", createSqliteDatabase(openRawDatabase));
});
afterEach(() => world.dispose());

type Sign = Readonly<Record<string, Json>>;

async function readSign(): Promise<Sign> {
  const [row] = await world.execute("select data from leases where key = 'worker/w1'");
  return JSON.parse(String(row?.["data"])).sign;
}

/** A worker that holds a job, and that shows itself as if it were another process. */
async function showAs(change: (sign: Sign) => Sign) {
  await world.store.workers.showPresence({ id: "w1", about: {}, ttlMs: LEASE_MS });
  const claimed = await declareAndClaim(world.store);
  const data = JSON.stringify({ sign: change(await readSign()) });
  await world.execute(`update leases set data = '${data}'`);
  return claimed;
}

/** A shell that starts a process, does not care for its end, and lives on. */
function startParent(): { parent: ChildProcess; readPid: () => Promise<number> } {
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void parent.kill("SIGKILL"));
  return {
    parent,
    readPid: async () => Number(String((await once(parent.stdout as NonNullable<ChildProcess["stdout"]>, "data"))[0])),
  };
}

const startTimeOf = (pid: number): string => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
};

it("lets others have the jobs of a worker whose process has ended", async () => {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  const pid = child.pid ?? 0;
  const startedAt = startTimeOf(pid);
  const { ref } = await showAs((sign) => ({ ...sign, pid, startedAt }));
  expect(await world.store.workers.findGone()).toEqual([]);
  child.kill("SIGKILL");
  await once(child, "close");
  expect(await world.store.workers.findGone()).toEqual(["w1"]);
  expect(await world.store.workers.endLeasesOf(["w1"])).toBe(1);
  const claimed = await claimOne(world.store, workerAt({ id: "w2" }));
  expect(claimed).toMatchObject({ ref: { jobId: ref.jobId, token: 2 }, takenOver: true });
  expect(await refusalOf(world.store.jobs.recordPresent(ref, "any"))).toBe("lease-lost");
});

it("knows one that has ended from one that lives, before its parent has taken note", async () => {
  const { readPid } = startParent();
  const pid = await readPid();
  await showAs((sign) => ({ ...sign, pid, startedAt: startTimeOf(pid) }));
  expect(await world.store.workers.findGone()).toEqual([]);
  process.kill(pid, "SIGKILL");
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /);
  expect(await world.store.workers.findGone()).toEqual(["w1"]);
});

it("does not take another process with the same number for the worker", async () => {
  await showAs((sign) => ({ ...sign, startedAt: "1" }));
  expect(await world.store.workers.findGone()).toEqual(["w1"]);
});

it("says nothing of processes of another container or boot", async () => {
  const nobody = 2 ** 22 + 1;
  await showAs((sign) => ({ ...sign, pid: nobody, space: "another boot pid:[1]" }));
  expect(await world.store.workers.findGone()).toEqual([]);
  expect(await world.store.workers.endLeasesOf(["w1"])).toBe(0);
});
