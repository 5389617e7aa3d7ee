import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WITH_EVERYTHING } from "../../support/form.ts";
import type { Place } from "../../support/place.ts";
import { ClusterOn, until } from "./cluster.ts";
import { containersOf, makeDockerPlace, RUN, run, sweepUp, thingsOf } from "./docker-place.ts";
import { describeOnDocker, WEB } from "./documents.ts";

const containerIds = (name: string) => containersOf(name).map((one) => run("docker", "inspect", "-f", "{{.Id}}", one));

interface ShownNode {
  readonly name: string;
  readonly status: string;
  readonly roles: readonly string[];
}

/**
 * The same life for both tools: what one can and the other cannot is said where it differs. Where not everything is asked
 * for, each tells what the other leaves out: kind is drained and rebooted, k3d is changed and made anew.
 */
export function tellLife(provider: "kind" | "k3d", version: string): void {
  let place: Place;
  beforeAll(async () => {
    place = await makeDockerPlace();
    await place.must("up", "--detach");
  });
  afterAll(async () => {
    await place.dispose();
    expect(sweepUp()).toEqual([]);
  });

  const declare = async (document: string) => {
    place.write(`${name}.json`, document);
    return await place.must("apply", "-f", `${name}.json`, "--wait", "--consent");
  };
  const name = `${RUN}-${provider}`;
  const cluster = () => new ClusterOn(place, name);
  const workers = WITH_EVERYTHING ? 2 : 1;

  describe(`a cluster of ${provider}`, () => {
    it("is made as declared, with live steps, and answers kubectl", async () => {
      const document = describeOnDocker(provider, name, { version, workers, web: true });
      await declare(document);
      await cluster().waitForNodes(1 + workers);
      const { status } = await cluster().show();
      expect(status).toMatchObject({ phase: "Running", nodes: { total: 1 + workers, ready: 1 + workers } });
      expect(status.kubernetesVersion).toContain(version);
      const log = await place.must("logs", name);
      expect(log).toMatch(
        provider === "kind" ? /Starting control-plane/ : /Starting servers|Starting the initializing server/,
      );
      expect(existsSync(join(place.folder, ".kube/config"))).toBe(false);
    });

    it("answers through a port that was chosen for it", async () => {
      await cluster().applyAsAdmin(WEB);
      await until(async () => (await cluster().askWeb()).length > 0, "the web server to answer");
      expect(await cluster().kubectl("get", "pods", "--no-headers")).toContain("Running");
    });

    it.runIf(WITH_EVERYTHING || provider === "kind")("shows its nodes, and drains and uncordons one", async () => {
      const listNodes = async () => (await place.json<{ items: readonly ShownNode[] }>("get", "nodes", name)).items;
      const nodes = await listNodes();
      expect(nodes).toHaveLength(1 + workers);
      const worker = nodes.find(({ roles }) => !roles.some((role) => /control-plane|master/.test(role)))?.name ?? "";
      const statusOf = async () => (await listNodes()).find((node) => node.name === worker)?.status;
      await place.must("drain", name, worker, "--wait");
      expect(await statusOf()).toBe("Drained");
      expect(await cluster().kubectl("get", "node", worker, "--no-headers")).toContain("SchedulingDisabled");
      await place.must("uncordon", name, worker, "--wait");
      expect(await statusOf()).toBe("Ready");
    });

    it.runIf(WITH_EVERYTHING || provider === "kind")(
      "comes back when its containers were stopped, as by a reboot, without being made anew",
      async () => {
        const before = containerIds(name);
        run("docker", "stop", "-t", "1", ...containersOf(name));
        await until(async () => (await cluster().show()).status.phase !== "Running", "the loss to be noticed");
        await cluster().waitForPhase("Running");
        await cluster().waitForNodes(1 + workers);
        expect(containerIds(name).toSorted()).toEqual(before.toSorted());
        await until(async () => (await cluster().askWeb()).length > 0, "the web server to answer again");
      },
    );

    it.runIf(WITH_EVERYTHING)("sleeps and wakes", async () => {
      await place.must("hibernate", name, "--wait");
      const states = containersOf(name).map((one) => run("docker", "inspect", "-f", "{{.State.Running}}", one));
      expect(new Set(states)).toEqual(new Set(["false"]));
      await place.must("wake", name, "--wait");
      await cluster().waitForPhase("Running");
      await cluster().waitForNodes(1 + workers);
    });

    it.runIf(provider === "k3d")("loses a worker and gains one, in place", async () => {
      const before = containerIds(name).length;
      await declare(describeOnDocker(provider, name, { version, workers: workers - 1, web: true }));
      await cluster().waitForNodes(workers);
      expect(containerIds(name).length).toBe(before - 1);
      await declare(describeOnDocker(provider, name, { version, workers, web: true }));
      await cluster().waitForNodes(1 + workers);
    });

    it.runIf(WITH_EVERYTHING || provider === "k3d")(
      "is made anew when it was deleted by hand, because its owner wants that",
      async () => {
        const before = new Set(containerIds(name));
        // With cgroups of version 1, a node that is killed while it makes a container can be left frozen, and not be removed.
        const listPods = async () =>
          (await cluster().kubectlAsAdmin("get", "pods", "-A", "--no-headers")).trim().split("\n");
        const isUp = (pod: string) => / (\d+)\/\1 +Running | Completed /.test(pod);
        await until(async () => (await listPods()).every(isUp), "all pods to run");
        // Whoever deletes it takes one container after the other, and Drover may look in between.
        if (provider === "kind") {
          run("docker", "rm", "-f", "-v", `${name}-worker`);
          const { status } = await cluster().waitForPhase("Unavailable");
          expect(JSON.stringify(status.conditions)).toContain("kind cannot add nodes");
        }
        run(provider, ...(provider === "kind" ? ["delete", "cluster", "--name", name] : ["cluster", "delete", name]));
        await until(async () => (await cluster().show()).status.phase !== "Running", "the loss to be noticed");
        await cluster().waitForPhase("Running");
        await cluster().waitForNodes(1 + workers);
        expect(containerIds(name).filter((id) => before.has(id))).toEqual([]);
      },
    );

    it("is deleted, with a proof, and leaves nothing behind", async () => {
      await place.must("delete", name, "--yes", "--wait");
      expect(thingsOf(name)).toEqual([]);
    });
  });
}
