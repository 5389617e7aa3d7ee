import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ArtifactServer } from "../../drover/test/artifact-server/artifact-server.ts";
import { describeOnMachines } from "./support/documents.ts";
import { ARTIFACTS, MACHINES, type Machine, NEWER } from "./support/machines.ts";
import { useMachines } from "./support/world.ts";

const [first, second] = MACHINES as readonly [Machine, Machine];
const world = useMachines("e2e-mirror", [first, second]);

let server: ArtifactServer;
beforeAll(async () => {
  server = await ArtifactServer.open(ARTIFACTS);
});
afterAll(() => server.close());

/** Each fetch counts, the lists of checksums left out. */
const fetched = () => server.asked.map(({ path }) => path).filter((path) => path !== "SHA256SUMS");

async function declare(workers: readonly Machine[]): Promise<void> {
  const artifacts = { source: "mirror", location: server.url, offline: true };
  const document = { version: NEWER, controlPlanes: [first], workers };
  await world.make(describeOnMachines(world.name, { ...document, ssh: { artifacts, schedulableControlPlane: true } }));
  process.stdout.write(`${workers.length} workers: ${server.asked.length} requests
`);
}

describe("artifacts of a mirror", () => {
  it("are fetched through cuts, each once, and make a cluster", async () => {
    const [kubelet, times] = [`${NEWER}/bin/kubelet`, 1];
    server.mishap = ({ path, range }, response) => {
      if (path !== kubelet || range !== undefined) return false;
      response.writeHead(503).end();
      server.mishap = () => false;
      return true;
    };
    await declare([]);
    await world.cluster.waitForNodes(1);
    const files = fetched();
    expect(files.filter((path) => path === kubelet)).toHaveLength(1 + times);
    expect(new Set(files).size).toBe(files.length - times);
    expect(files.filter((path) => !/^(v1\.|cni|manifests|debs|containerd)/.test(path))).toEqual([]);
    expect(files.filter((path) => path.startsWith("v1.") && !path.startsWith(NEWER))).toEqual([]);
    const { items } = await world.place.json<{ items: { id: string }[] }>("jobs", world.name);
    const log = await world.place.must("logs", items.at(-1)?.id ?? "");
    expect(log).toMatch(/Fetching kubelet, \d+ of \d+ MB/);
    expect(log).toContain("the answer was 503; trying again");
  });

  it("come out of the cache for a machine that joins later", async () => {
    server.asked.length = 0;
    await declare([second]);
    await world.cluster.waitForNodes(2);
    expect(fetched()).toEqual([]);
    expect(server.asked.length).toBeGreaterThan(0);
  });

  it("leave nothing behind on the machines", async () => {
    await world.delete();
    await world.expectAsFound();
  });
});
