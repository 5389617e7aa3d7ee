import { describe, expect, it } from "vitest";
import { until } from "../docker/support/cluster.ts";
import { describeOnMachines } from "./support/documents.ts";
import { describePhases } from "./support/jobs.ts";
import { EMPTY_MACHINE, MACHINES, type Machine, OLDER, onMachine } from "./support/machines.ts";
import { useMachines } from "./support/world.ts";

const [first, second, third] = MACHINES as readonly [Machine, Machine, Machine];
const all = [first, second, third];
const world = useMachines("e2e-ha", all);
/** In the network of the machines, and of nobody: the last address of their /24 but two. */
const virtualIp = first.address.replace(/\d+$/, "252");

const carriers = async () =>
  (
    await Promise.all(
      all.map(async (machine) =>
        (await onMachine(machine, "ip -o addr")).includes(` ${virtualIp}/`) ? [machine.name] : [],
      ),
    )
  ).flat();

describe("three control planes behind an address that moves", () => {
  it("are made, and one of them carries the address", async () => {
    await world.make(
      describeOnMachines(world.name, {
        ...{ version: OLDER, controlPlanes: all, workers: [] },
        ssh: { schedulableControlPlane: true, endpoint: { type: "haproxy", virtualIp, port: 8443 } },
      }),
    );
    await world.cluster.waitForNodes(3);
    expect(await carriers()).toHaveLength(1);
  });

  it("go on without the one that carries it, the loss is shown, and repair replaces it", async () => {
    const [carrier] = await carriers();
    const lost = all.find((machine) => machine.name === carrier) as Machine;
    await onMachine(lost, EMPTY_MACHINE);
    const began = performance.now();
    const since = () => Math.round((performance.now() - began) / 1000);
    // By the address, which another machine has to carry now.
    await until(() => world.kubectlFromBefore("get", "--raw", "/readyz") === "ok", "the others to answer");
    process.stdout.write(`the others answer by the address after ${since()} s\n`);
    const isShown = async () => (await world.newestJob())?.kind === "repair";
    await until(isShown, "the loss to be shown", 300_000);
    process.stdout.write(`${await world.place.must("describe", world.name)}\n`);
    const repair = await world.waitForJob(
      ({ kind, state }) => kind === "repair" && state !== "Processing" && state !== "Pending",
      "the repair",
    );
    expect(repair).toMatchObject({ state: "Succeeded" });
    process.stdout.write(`${describePhases(repair)}\n`);
    await world.cluster.waitForPhase("Running", 300_000);
    process.stdout.write(`repaired ${since()} s after the loss\n`);
    await world.cluster.waitForNodes(3);
    const members = await onMachine(
      lost,
      "etcdctl --endpoints https://127.0.0.1:2379 --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/peer.crt --key /etc/kubernetes/pki/etcd/peer.key member list",
    );
    expect(members.trim().split("\n")).toHaveLength(3);
    await until(async () => (await carriers()).length === 1, "one machine to carry the address");
  });

  it("are deleted, and the machines are as they were found", async () => {
    await world.delete();
    await world.expectAsFound();
  });
});
