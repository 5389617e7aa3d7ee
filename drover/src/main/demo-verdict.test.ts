import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openTestStore } from "../../test/store.ts";
import { declareCluster } from "../app/declare-cluster.ts";
import { readDocuments } from "../app/read-documents.ts";
import { systemClock } from "../ports/clock.ts";
import { systemTimer } from "../ports/timer.ts";
import { makeProviders } from "../providers/index.ts";
import { FileWorld } from "../providers/simulated/file-world.ts";
import type { EntryDraft } from "../providers/simulated/ledger.ts";
import { drawCluster, writeDocument } from "./demo-fleet.ts";
import { isAtRest, judgeRun, readFleet } from "./demo-verdict.ts";

const RUN = "abc123";

/** One declared cluster that nobody has worked on. */
async function openRun() {
  const folder = mkdtempSync(join(tmpdir(), "drover-verdict-"));
  const ledgerFile = join(folder, "simulated.jsonl");
  const { store, dispose } = await openTestStore();
  const world = new FileWorld(ledgerFile, systemClock);
  onTestFinished(async () => {
    world.close();
    await dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  const providers = makeProviders({ clock: systemClock, timer: systemTimer, simulated: { world } });
  const text = writeDocument(drawCluster(RUN, 1, false, () => 0));
  const app = {
    store,
    providers,
    timer: systemTimer,
    readDocuments: async (yaml: string) => readDocuments(yaml),
    describeChanges: async <T>(plan: T) => plan,
  };
  const { cluster } = await declareCluster(app, { text, actor: { type: "user", name: "demo" } });
  const judge = async () => {
    const fleet = await readFleet(store, world, [cluster.id]);
    return { fleet, ...(await judgeRun(store, fleet, { ledgerFile, run: RUN })) };
  };
  const call = (name: EntryDraft["call"], more: Partial<EntryDraft> = {}) =>
    world.append([
      {
        call: name,
        operation: null,
        clusterId: cluster.id,
        clusterName: cluster.name,
        key: null,
        token: null,
        input: {},
        ...more,
      },
    ]);
  return { cluster, judge, call };
}

it("finds what is declared and not there, and the job that has not ended", async () => {
  const { cluster, judge } = await openRun();
  const { fleet, wrong } = await judge();
  expect(isAtRest(fleet)).toBe(false);
  expect(wrong).toEqual([
    `${cluster.name} is at generation 0 of 1`,
    `The create job of ${cluster.name} has not ended (Pending)`,
    `${cluster.name} is Pending`,
  ]);
});

it("finds two of a thing, also when one of them is gone again", async () => {
  const { cluster, judge, call } = await openRun();
  const [first] = call("create-cluster", { key: "a" });
  call("create-cluster", { key: "b" });
  call("remove-cluster", { input: { object: first?.objects[0]?.id ?? "" } });
  expect((await judge()).wrong).toContain(`There were 2 of the cluster ${cluster.name} at once (line 2)`);
});

it("finds what belongs to no cluster", async () => {
  const { cluster, judge, call } = await openRun();
  call("create-cluster", { clusterId: "forgotten", key: "a" });
  expect((await judge()).wrong).toContain(`The cluster ${cluster.name} belongs to no cluster`);
});

it("leaves alone what another run made", async () => {
  const { judge, call } = await openRun();
  call("create-cluster", { clusterId: "other", clusterName: "demo-fff-0001", key: "a" });
  const { rows } = await judge();
  expect(rows).toContainEqual(["ledger", "0 calls, 0 struck by a fault"]);
});
