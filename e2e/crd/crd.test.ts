import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { validateCluster } from "../../contract/src/index.ts";
import { CORPUS, type CorpusEntry } from "../../contract/test/corpus/index.ts";
import { type Answer, ApiServer } from "./api-server.ts";
import { isExplained, randomDocument } from "./random-documents.ts";

const DEFINITION = fileURLToPath(new URL("../../contract/generated/drover.dev_clusters.yaml", import.meta.url));
const EXPLANATIONS = readFileSync(new URL("../../docs/crd.md", import.meta.url), "utf8");
const COLLECTION = "/apis/drover.dev/v1alpha1/clusters";
/** Unknown fields are refused instead of dropped, and nothing is stored. */
const TRY = "?dryRun=All&fieldValidation=Strict";
const RANDOM_DOCUMENTS = 2000;

let server: ApiServer;

beforeAll(async () => {
  server = await ApiServer.start();
  await server.kubectl("apply", "--server-side", "-f", DEFINITION);
  await untilServed();
});

afterAll(async () => {
  await server?.stop();
});

/** Not `kubectl wait`: that fails when it comes before the definition has any condition. */
async function untilServed(): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if ((await server.call("GET", COLLECTION)).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("The API server does not serve clusters.drover.dev.");
}

/** True: accepted. False: refused by the schema or before it. Anything else is no verdict. */
async function isAccepted({ title, document }: Pick<CorpusEntry, "title" | "document">): Promise<boolean> {
  const answer = await server.call("POST", `${COLLECTION}${TRY}`, document);
  if (answer.status === 201) return true;
  if (answer.status === 400 || answer.status === 422) return false;
  throw new Error(`No verdict on "${title}": ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`);
}

describe("the custom resource definition", () => {
  it("is accepted as a structural schema with all its rules", async () => {
    const { body } = await server.call(
      "GET",
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/clusters.drover.dev",
    );
    const conditions = (body.status as { conditions: { type: string; status: string }[] }).conditions;
    expect(conditions.map(({ type, status }) => `${type}=${status}`).sort()).toEqual([
      "Established=True",
      "NamesAccepted=True",
    ]);
  });

  it("judges every document of the corpus as we do, or the difference is explained", async () => {
    const unexplained: string[] = [];
    const stale: string[] = [];
    for (const entry of CORPUS) {
      const agrees = (await isAccepted(entry)) === (entry.problems.length === 0);
      if (!agrees && entry.difference === undefined) unexplained.push(entry.title);
      if (agrees && entry.difference !== undefined) stale.push(entry.title);
    }
    expect({ unexplained, stale }).toEqual({ unexplained: [], stale: [] });
  });

  it("judges documents with random changes as we do", async () => {
    await fc.assert(
      fc.asyncProperty(randomDocument, async (document) => {
        const ours = validateCluster(document);
        const explained = !ours.ok && ours.problems.every(isExplained);
        if (!explained) expect(await isAccepted({ title: "a random document", document })).toBe(ours.ok);
      }),
      { numRuns: RANDOM_DOCUMENTS },
    );
  });

  it("explains every difference in docs/crd.md, and no other", () => {
    const used = new Set(CORPUS.flatMap(({ difference }) => (difference === undefined ? [] : [difference])));
    const explained = [...EXPLANATIONS.matchAll(/^### `([a-z-]+)`/gm)].map((match) => match[1]);
    expect(explained.sort()).toEqual([...used].sort());
  });
});

describe("a stored cluster", () => {
  const document = {
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name: "shown" },
    spec: { provider: "k3d" },
  };
  const status = {
    phase: "Running",
    kubernetesVersion: "v1.34.4",
    nodes: { total: 3, ready: 2 },
    conditions: [
      {
        type: "Available",
        status: "False",
        reason: "NodesNotReady",
        message: "One node is not ready.",
        observedGeneration: 1,
        lastTransitionTime: "2026-01-31T08:00:00Z",
      },
    ],
  };

  const create = async (): Promise<Answer> => {
    const created = await server.call("POST", COLLECTION, document);
    expect(created.status).toBe(201);
    return created;
  };

  it("gets the defaults of the table, and its status only through the subresource", async () => {
    const { body } = await create();
    expect(body.spec).toEqual({
      provider: "k3d",
      desiredState: "present",
      maintenance: { paused: false, protected: false, selfHeal: "repair" },
    });
    const stored = await server.call("PUT", `${COLLECTION}/shown/status`, { ...body, status });
    expect(stored.status).toBe(200);
    expect((stored.body.metadata as { generation: number }).generation).toBe(1);
  });

  it("is shown by kubectl with its columns", async () => {
    const table = await server.kubectl("get", "clusters.drover.dev");
    const [header = "", row = ""] = table.trim().split("\n");
    expect(header.split(/\s{2,}/)).toEqual([
      "NAME",
      "PROVIDER",
      "VERSION",
      "PHASE",
      "AVAILABLE",
      "READY",
      "NODES",
      "AGE",
    ]);
    expect(row.split(/\s{2,}/).slice(0, 7)).toEqual(["shown", "k3d", "v1.34.4", "Running", "False", "2", "3"]);
    const wide = await server.kubectl("get", "clusters.drover.dev", "-o", "wide");
    expect(wide.split("\n")[0]?.split(/\s{2,}/)).toEqual(expect.arrayContaining(["DESIRED", "ENDPOINT", "SEEN"]));
  });

  it("refuses another provider, and two conditions of one type", async () => {
    const { body } = await server.call("GET", `${COLLECTION}/shown`);
    const moved = await server.call("PUT", `${COLLECTION}/shown`, { ...body, spec: { provider: "kind" } });
    expect(moved.status).toBe(422);
    expect(JSON.stringify(moved.body)).toContain("cannot change");
    const doubled = { ...status, conditions: [...status.conditions, ...status.conditions] };
    const refused = await server.call("PUT", `${COLLECTION}/shown/status`, { ...body, status: doubled });
    expect(refused.status).toBe(422);
  });

  it("can be described field by field", async () => {
    expect(
      await server.kubectl("explain", "cluster.spec.ssh.nodes.roles", "--api-version=drover.dev/v1alpha1"),
    ).toContain("controlplane");
  });
});
