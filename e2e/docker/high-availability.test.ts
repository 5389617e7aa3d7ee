import { afterAll, beforeAll, expect, it } from "vitest";
import type { Place } from "../support/place.ts";
import { ClusterOn, until } from "./support/cluster.ts";
import { makeDockerPlace, NEWER, RUN, run, sweepUp } from "./support/docker-place.ts";
import { describeOnDocker } from "./support/documents.ts";

let place: Place;
beforeAll(async () => {
  // What is lost here is to stay lost until the test has looked.
  place = await makeDockerPlace({ DROVER_RESYNC_INTERVAL: "1h", DROVER_HEALTH_INTERVAL: "1h" });
  await place.must("up", "--detach");
});
afterAll(async () => {
  await place.dispose();
  expect(sweepUp()).toEqual([]);
});

it("goes on without one of three servers", async () => {
  const name = `${RUN}-ha`;
  const cluster = new ClusterOn(place, name);
  place.write("ha.json", describeOnDocker("k3d", name, { version: NEWER, controlPlanes: 3 }));
  await place.must("apply", "-f", "ha.json", "--wait");
  await cluster.waitForNodes(3);
  run("docker", "kill", `k3d-${name}-server-1`);
  await until(
    async () => (await cluster.kubectl("get", "nodes", "--no-headers")).includes("NotReady"),
    "a node to be lost",
  );
  await cluster.applyAsAdmin(
    JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: "written-later" } }),
  );
  expect(await cluster.kubectl("get", "namespaces", "--no-headers")).toContain("written-later");
  await place.must("delete", name, "--yes", "--wait");
});
