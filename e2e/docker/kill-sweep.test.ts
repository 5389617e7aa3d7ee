import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Place } from "../support/place.ts";
import { ClusterOn, until } from "./support/cluster.ts";
import { containersOf, makeDockerPlace, NEWER, RUN, sweepUp, thingsOf, toolsFor } from "./support/docker-place.ts";
import { describeOnDocker } from "./support/documents.ts";

/** How many moments for each tool; half of them fall into a create, half into a delete. */
const MOMENTS = Number(process.env.DROVER_E2E_KILLS ?? 2);
const CREATE_MS = 30_000;
const DELETE_MS = 4_000;

let place: Place;
beforeAll(async () => {
  place = await makeDockerPlace();
  await place.must("up", "--detach");
});
afterAll(async () => {
  await place.dispose();
  expect(sweepUp()).toEqual([]);
});

async function killAfter(milliseconds: number): Promise<void> {
  await sleep(milliseconds);
  process.kill(place.pid, "SIGKILL");
  await place.must("up", "--detach");
}

describe.each(["kind", "k3d"] as const)("a Drover that is killed while it works with %s", (provider) => {
  for (let moment = 0; moment < MOMENTS / 2; moment += 1) {
    const name = `${RUN}-${provider}-k${moment}`;
    const nodes = provider === "kind" ? 1 : 2; // k3d: a server and its load balancer

    it(`has made one cluster in the end, and removed it in the end (${moment + 1})`, async () => {
      const [creating, deleting] = [Math.random() * CREATE_MS, Math.random() * DELETE_MS];
      process.stdout.write(
        `${name}: killed ${Math.round(creating)} ms into the create, ${Math.round(deleting)} ms into the delete\n`,
      );
      place.write(`${name}.json`, describeOnDocker(provider, name, { version: NEWER }));
      await place.must("apply", "-f", `${name}.json`);
      await killAfter(creating);
      const cluster = new ClusterOn(place, name);
      await cluster.waitForPhase("Running", 300_000);
      await cluster.waitForNodes(1);
      expect(containersOf(name)).toHaveLength(nodes);
      await until(() => toolsFor(name).length === 0, "the tools to have ended");

      await place.must("delete", name, "--yes");
      await killAfter(deleting);
      await until(async () => !(await place.must("get", "clusters")).includes(name), `${name} to be gone`);
      expect(thingsOf(name)).toEqual([]);
    });
  }
});
