import { describe, expect, it } from "vitest";
import { until } from "../docker/support/cluster.ts";
import { describeOnMachines, WEB } from "./support/documents.ts";
import { EMPTY_MACHINE, loadImage, MACHINES, type Machine, OLDER, onMachine, WEB_IMAGE } from "./support/machines.ts";
import { useMachines } from "./support/world.ts";

const all = MACHINES.slice(0, 3);
const [first, ...workers] = all as [Machine, ...Machine[]];
const world = useMachines("e2e-lost", all);

/** What runs for a Deployment: another start would be another name. */
const containers = async () =>
  (await Promise.all(workers.map((machine) => onMachine(machine, "crictl ps -q --name '^web$'")))).sort();

describe("a cluster whose only control plane is lost with its disk", () => {
  it("runs, and has a backup", async () => {
    await world.make(describeOnMachines(world.name, { version: OLDER, controlPlanes: [first], workers }));
    await world.cluster.waitForNodes(all.length);
    await loadImage(world.place, workers, WEB_IMAGE);
    await world.cluster.applyAsAdmin(WEB);
    world.kubectlFromBefore("rollout", "status", "deployment/web", "--timeout=180s");
    await world.place.must("backup", "cluster", world.name, "--wait");
    expect(await containers()).toHaveLength(workers.length);
  });

  it("is not begun anew: it says what was lost and what to do, and its pods run on", async () => {
    const running = await containers();
    await onMachine(first, EMPTY_MACHINE);
    const isSaid = async () => /control-planes-lost/.test(await world.place.must("describe", world.name));
    await until(isSaid, "the loss to be said", 300_000);
    const isOver = async () => (await world.newestJob())?.state === "Failed";
    await until(isOver, "the repair to be given up at once", 60_000);
    process.stdout.write(`${await world.place.must("describe", world.name)}\n`);
    expect(await onMachine(first, "ls -A /etc/kubernetes/pki 2>/dev/null || true")).toBe("");
    expect(await containers()).toEqual(running);
  });

  it("comes back from the backup with everything in it, and its pods have not noticed", async () => {
    const running = await containers();
    const [backup] = await world.listBackups();
    await world.timed("restore", world.name, "--backup", backup?.id ?? "", "--yes", "--wait");
    await world.cluster.waitForPhase("Running", 300_000);
    await world.cluster.waitForNodes(all.length);
    world.kubectlFromBefore("rollout", "status", "deployment/web", "--timeout=180s");
    expect(await containers()).toEqual(running);
    world.kubectlFromBefore("scale", "deployment/web", "--replicas=4");
    world.kubectlFromBefore("rollout", "status", "deployment/web", "--timeout=180s");
  });

  it("is deleted, and the machines are as they were found", async () => {
    await world.delete();
    await world.expectAsFound();
  });
});
