import { expect } from "vitest";
import { until } from "../../docker/support/cluster.ts";
import { type Machine, onMachine } from "./machines.ts";
import type { World } from "./world.ts";

/** What is in a cluster when it is backed up, and has to be there again when the backup is restored. */
export async function openShop(world: World): Promise<void> {
  await world.kubectl("create", "namespace", "shop");
  await world.kubectl("-n", "shop", "create", "configmap", "prices", "--from-literal=apple=3");
}

export async function expectShop(world: World): Promise<void> {
  expect(await world.kubectl("-n", "shop", "get", "configmap", "prices", "-o", "jsonpath={.data.apple}")).toBe("3");
}

/** The shop has gone and something came later; afterwards it is the other way round, and the cluster is at work. */
export async function expectRestore(world: World): Promise<void> {
  const [backup] = await world.listBackups();
  await world.kubectl("delete", "namespace", "shop", "--wait");
  await world.kubectl("create", "namespace", "later");
  await world.timed("restore", world.name, "--backup", backup?.id ?? "", "--yes", "--wait");
  await world.settle();
  await expectShop(world);
  await expectNothingLater(world);
  // Controllers and kubelets act on what is there now.
  await world.kubectl("-n", "shop", "create", "serviceaccount", "keeper");
  await until(
    async () => /Running/.test(await world.kubectl("-n", "kube-system", "get", "pods", "-l", "k8s-app=kube-dns")),
    "DNS",
  );
}

/** Drover is killed while the control plane stands still, and goes on. */
export async function expectRestoreAfterKill(world: World, controlPlane: Machine): Promise<void> {
  const [backup] = await world.listBackups();
  await world.kubectl("create", "namespace", "later");
  await world.place.must("restore", world.name, "--backup", backup?.id ?? "", "--yes");
  const readStage = () => onMachine(controlPlane, "cat /var/lib/drover/restore/stage 2>/dev/null || true");
  await until(async () => (await readStage()).includes("stopped"), "the control plane to be stopped", 120_000);
  await world.kill();
  await until(async () => (await world.cluster.show()).status.phase === "Updating", "the job to go on", 60_000);
  await world.settle();
  await expectNothingLater(world);
  await expectShop(world);
}

async function expectNothingLater(world: World): Promise<void> {
  expect(await world.kubectl("get", "namespaces", "-o", "name")).not.toContain("later");
}
