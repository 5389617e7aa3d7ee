import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Place } from "../support/place.ts";
import { ClusterOn, until } from "./support/cluster.ts";
import { makeDockerPlace, NEWER, RUN, run, sweepUp } from "./support/docker-place.ts";
import { describeOnDocker } from "./support/documents.ts";

const FOREIGN = `${RUN}-foreign`;
const MINE = `${RUN}-mine`;
let [first, second]: Place[] = [];

beforeAll(async () => {
  first = await makeDockerPlace();
  second = await makeDockerPlace();
  await first.must("up", "--detach");
  await second.must("up", "--detach");
});
afterAll(async () => {
  await first?.dispose();
  await second?.dispose();
  expect(sweepUp()).toEqual([]);
});

const on = (place: Place | undefined): Place => {
  if (place === undefined) throw new Error("There is no Drover.");
  return place;
};

it("shows a cluster that is somebody else's as such, and never touches it", async () => {
  run("kind", "create", "cluster", "--name", FOREIGN, "--image", kindImage(), "--kubeconfig", foreignKubeconfig());
  const id = run("docker", "inspect", "-f", "{{.Id}}", `${FOREIGN}-control-plane`);
  await until(async () => (await on(first).run("check")).out.includes(FOREIGN), "the foreign cluster to be listed");
  on(first).write("taken.json", describeOnDocker("kind", FOREIGN, { version: NEWER }));
  const taken = await on(first).run("apply", "-f", "taken.json", "--wait");
  expect([taken.code, taken.out + taken.err]).toEqual([
    4,
    expect.stringMatching(/not made by Drover|somebody else|foreign/),
  ]);
  await on(first).must("delete", FOREIGN, "--yes", "--wait");
  expect(run("docker", "inspect", "-f", "{{.Id}} {{.State.Running}}", `${FOREIGN}-control-plane`)).toBe(`${id} true`);
});

it("is imported by its kubeconfig: locked, observed, lost and found, adopted, removed, and still runs", async () => {
  const place = on(second);
  place.write("foreign.kubeconfig", run("kind", "get", "kubeconfig", "--name", FOREIGN));
  await place.must("import", "kubeconfig", "foreign.kubeconfig", "--context", `kind-${FOREIGN}=${MINE}`);
  const cluster = new ClusterOn(place, MINE);
  await cluster.waitForPhase("Running");
  await until(async () => (await cluster.show()).status.nodes?.ready === 1, "its node to be seen Ready");
  const refused = await place.run("cordon", MINE, `${FOREIGN}-control-plane`);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("cluster-locked")]);

  run("docker", "pause", `${FOREIGN}-control-plane`);
  await cluster.waitForPhase("Unreachable");
  run("docker", "unpause", `${FOREIGN}-control-plane`);
  await cluster.waitForPhase("Running");

  await place.must("adopt", MINE, "--wait");
  await place.must("cordon", MINE, `${FOREIGN}-control-plane`, "--wait");
  await place.must("uncordon", MINE, `${FOREIGN}-control-plane`, "--wait");
  await place.must("delete", MINE, "--yes", "--wait");
  run("kubectl", "--kubeconfig", foreignKubeconfig(), "get", "--raw", "/readyz");
  run("kind", "delete", "cluster", "--name", FOREIGN, "--kubeconfig", foreignKubeconfig());
});

/** In the folder of a place, which goes with it. */
const foreignKubeconfig = (): string => join(on(first).folder, "foreign-admin.kubeconfig");

function kindImage(): string {
  return (process.env.DROVER_KIND_IMAGE ?? "kindest/node:{version}").replace("{version}", NEWER);
}
