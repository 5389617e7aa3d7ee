import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asText, openTestServer } from "../../../test/http.ts";

let test: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  test = await openTestServer();
});
afterAll(() => test.dispose());

const document = (name: string, { workers = 1, labels = {} as Record<string, string>, more = "" } = {}) => `
apiVersion: drover.dev/v1alpha1
kind: Cluster
metadata:
  name: ${name}
  labels: ${JSON.stringify(labels)}
spec:
  provider: simulated
  kubernetes: { version: v1.34.4 }
  simulated: { workers: ${workers} }
${more}`;

const declare = (name: string, options?: Parameters<typeof document>[1]) =>
  test.ask("POST", "/api/v1/clusters", { body: document(name, options) });

describe("declaring", () => {
  it("answers at once with the job, and the cluster comes about", async () => {
    const accepted = await declare("one");
    expect([accepted.status, accepted.json]).toMatchObject([202, { cluster: "one", generation: 1 }]);
    expect((await test.ask("GET", "/api/v1/clusters/one")).json.status).toMatchObject({
      phase: "Pending",
      job: { id: accepted.json.jobId, kind: "create" },
    });
    await test.settle();
    const shown = await test.ask("GET", "/api/v1/clusters/one");
    expect(shown.json).toMatchObject({
      metadata: { name: "one", generation: 1 },
      status: { phase: "Running", actualState: "running", kubernetesVersion: "v1.34.4", nodes: { total: 2, ready: 2 } },
    });
    expect(shown.json.status?.job).toBeUndefined();
    expect((await test.ask("GET", `/api/v1/jobs/${asText(accepted.json.jobId)}`)).json).toMatchObject({
      state: "Succeeded",
      kind: "create",
      cluster: "one",
    });
  });

  it("takes JSON as well as YAML", async () => {
    const body = {
      apiVersion: "drover.dev/v1alpha1",
      kind: "Cluster",
      metadata: { name: "as-json" },
      spec: { provider: "simulated", simulated: {} },
    };
    expect((await test.ask("POST", "/api/v1/clusters", { body })).status).toBe(202);
  });

  it("says everything that is wrong at once, with place and next move, and stores nothing", async () => {
    const body = document("UPPER", { more: "  nonsense: 1\n" }).replace("v1.34.4", "latest");
    const answer = await test.ask("POST", "/api/v1/clusters", { body });
    expect([answer.status, answer.json.code]).toEqual([422, "validation-failed"]);
    const problems = answer.json.problems as unknown as { path: string; code: string; next: string }[];
    expect(problems.map(({ path, code }) => `${path} ${code}`).sort()).toEqual([
      "metadata.name bad-name",
      "spec.kubernetes.version bad-version",
      "spec.nonsense unknown-field",
    ]);
    for (const { next } of problems) expect(next).not.toBe("");
    expect((await test.ask("GET", "/api/v1/clusters?search=upper")).json.items).toEqual([]);
  });

  it("refuses a name that is taken, unless the same request is repeated with its key", async () => {
    const headers = { "idempotency-key": "k-1" };
    const body = document("twice");
    const first = await test.ask("POST", "/api/v1/clusters", { body, headers });
    const again = await test.ask("POST", "/api/v1/clusters", { body, headers });
    expect([again.status, again.json]).toEqual([202, first.json]);
    const other = await test.ask("POST", "/api/v1/clusters", { body: document("twice", { workers: 3 }), headers });
    expect([other.status, other.json.code]).toEqual([422, "idempotency-key-reused"]);
    const plain = await test.ask("POST", "/api/v1/clusters", { body });
    expect([plain.status, plain.json.code]).toEqual([409, "cluster-exists"]);
  });

  it("only checks on a dry run", async () => {
    const answer = await test.ask("POST", "/api/v1/clusters?dryRun=true", { body: document("dry") });
    expect([answer.status, answer.json.jobId]).toEqual([202, null]);
    expect((await test.ask("GET", "/api/v1/clusters/dry")).status).toBe(404);
    const verdict = await test.ask("POST", "/api/v1/validate", { body: document("Bad"), as: "viewer" });
    expect(verdict.json).toMatchObject({ valid: false, problems: [{ path: "metadata.name" }] });
    expect((await test.ask("POST", "/api/v1/validate", { body: document("good") })).json).toMatchObject({
      valid: true,
    });
  });
});

describe("editing", () => {
  it("needs the version it is based on, and tells a stale one what is there now", async () => {
    await declare("edited");
    await test.settle();
    const put = (headers: Record<string, string>, workers: number) =>
      test.ask("PUT", "/api/v1/clusters/edited?reason=more", { body: document("edited", { workers }), headers });
    expect((await put({}, 2)).json.code).toBe("precondition-required");
    expect((await put({ "if-match": "latest" }, 2)).json.code).toBe("request-invalid");
    const etag = String((await test.ask("GET", "/api/v1/clusters/edited")).headers.etag);
    const changed = await put({ "if-match": etag }, 2);
    expect([changed.status, changed.json.generation]).toEqual([202, 2]);
    const stale = await put({ "if-match": etag }, 3);
    expect([stale.status, stale.json.code]).toEqual([412, "generation-conflict"]);
    await test.settle();
    expect((await test.ask("GET", "/api/v1/clusters/edited")).json.status).toMatchObject({ nodes: { total: 3 } });
    const nothing = await put({ "if-match": "*" }, 2);
    expect([nothing.status, nothing.json]).toMatchObject([202, { generation: 2, jobId: null }]);
  });

  it("answers 304 to who has the newest, and not when only the state has changed", async () => {
    await declare("cached");
    const first = String((await test.ask("GET", "/api/v1/clusters/cached")).headers.etag);
    expect((await test.ask("GET", "/api/v1/clusters/cached", { headers: { "if-none-match": first } })).status).toBe(
      304,
    );
    await test.settle();
    const later = await test.ask("GET", "/api/v1/clusters/cached", { headers: { "if-none-match": first } });
    expect(later.status).toBe(200);
    const same = await test.ask("PUT", "/api/v1/clusters/cached", {
      body: document("cached", { workers: 2 }),
      headers: { "if-match": first },
    });
    expect(same.status).toBe(202);
  });

  it("refuses a document of another name", async () => {
    const answer = await test.ask("PUT", "/api/v1/clusters/one", {
      body: document("other"),
      headers: { "if-match": "*" },
    });
    expect([answer.status, answer.json.problems?.[0]]).toMatchObject([422, { path: "metadata.name" }]);
  });

  it("tells what was declared and is not there yet", async () => {
    await declare("waiting");
    const ask = async () => (await test.ask("GET", "/api/v1/clusters/waiting/diff")).json.differences;
    expect(await ask()).toEqual([]);
    await test.settle();
    expect(await ask()).toEqual([]);
    await test.ask("PUT", "/api/v1/clusters/waiting", {
      body: document("waiting", { workers: 3 }),
      headers: { "if-match": "*" },
    });
    expect(await ask()).toEqual([{ path: "spec.simulated.workers", before: 3, after: 1 }]);
    await test.settle();
    expect(await ask()).toEqual([]);
  });

  it("plans, applies what was planned, and refuses a plan that went stale", async () => {
    await declare("planned");
    await test.settle();
    const body = document("planned", { workers: 3 });
    const plan = await test.ask("POST", "/api/v1/clusters/planned/plan", { body });
    expect(plan.json).toMatchObject({ change: "in-place", kind: "update", consent: [] });
    expect(plan.json.differences).toMatchObject([{ path: "spec.simulated.workers", before: 1, after: 3 }]);
    const { hash: planHash, baseVersion } = plan.json;
    const apply = { document: body, planHash, baseVersion };
    const applied = await test.ask("POST", "/api/v1/clusters/planned/apply", { body: apply });
    expect(applied.status).toBe(202);
    await test.settle();
    const job = await test.ask("GET", `/api/v1/jobs/${asText(applied.json.jobId)}`);
    expect(job.json).toMatchObject({ state: "Succeeded", planHash });
    const graph = await test.ask("GET", `/api/v1/jobs/${asText(applied.json.jobId)}/graph`);
    expect((graph.json.steps as unknown as unknown[]).length).toBe((plan.json.steps as unknown as unknown[]).length);
    const again = await test.ask("POST", "/api/v1/clusters/planned/apply", { body: apply });
    expect([again.status, again.json.code]).toEqual([409, "plan-stale"]);
  });
});

describe("lists", () => {
  it("filter, sort, page and count", async () => {
    for (const [index, env] of ["dev", "prod", "dev", "test"].entries()) {
      await declare(`list-${index}`, { labels: { env, suite: "list" } });
    }
    const names = async (query: string) =>
      (
        (await test.ask("GET", `/api/v1/clusters?${query}`)).json.items as unknown as { metadata: { name: string } }[]
      ).map(({ metadata }) => metadata.name);
    expect(await names("selector=suite=list,env=dev")).toEqual(["list-0", "list-2"]);
    expect(await names("selector=suite=list&sort=name&descending=true&limit=2")).toEqual(["list-3", "list-2"]);
    const first = await test.ask("GET", "/api/v1/clusters?selector=suite%3Dlist&limit=3");
    expect(await names(`selector=suite=list&limit=3&after=${asText(first.json.next)}`)).toEqual(["list-3"]);
    const counts = await test.ask("GET", "/api/v1/cluster-counts?selector=suite=list");
    expect(counts.json).toMatchObject({ total: 4, providers: { simulated: 4 } });
    await test.ask("POST", "/api/v1/clusters/list-0/pause", { body: {} });
    expect(await names("selector=suite=list&modifier=Paused")).toEqual(["list-0"]);
    await test.settle();
    expect(await names("selector=suite=list&onlyReady=true")).toContain("list-1");
  });

  it.each([
    ["limit=0", "query.limit"],
    ["limit=501", "query.limit"],
    ["unknown=1", "query.unknown"],
    ["phase=Fine", "query.phase"],
  ])("refuse ?%s", async (query, path) => {
    const answer = await test.ask("GET", `/api/v1/clusters?${query}`);
    expect([answer.status, answer.json.code, answer.json.problems?.[0]?.path]).toEqual([400, "request-invalid", path]);
  });

  it("refuse a selector that cannot be read, and a cursor that is not theirs", async () => {
    expect((await test.ask("GET", "/api/v1/clusters?selector=a%20in%20(")).json.code).toBe("request-invalid");
    expect((await test.ask("GET", "/api/v1/clusters?after=bm9uZQ")).json.code).toBe("page-cursor-invalid");
  });
});

describe("actions", () => {
  it("pause, protect, extend, roll back, and delete, each as the contract says", async () => {
    await declare("acted", { more: "  maintenance: { ttl: 2h }\n" });
    await test.settle();
    const act = (action: string, body: object = {}) =>
      test.ask("POST", `/api/v1/clusters/acted/${action}`, { body, as: "operator" });
    expect((await act("protect", { reason: "prod" })).status).toBe(202);
    expect((await test.ask("DELETE", "/api/v1/clusters/acted")).json.code).toBe("cluster-protected");
    expect((await act("unprotect")).status).toBe(202);
    expect((await act("extend", { by: "90m" })).status).toBe(202);
    const { spec } = (await test.ask("GET", "/api/v1/clusters/acted")).json;
    expect(spec?.maintenance?.ttl).toBe("12600s");
    expect((await act("rollback", { generation: 1, reason: "as it was" })).status).toBe(202);
    expect((await act("rollback", { generation: 99, reason: "no" })).json.code).toBe("revision-not-found");
    const revisions = await test.ask("GET", "/api/v1/clusters/acted/revisions?limit=2");
    expect(revisions.json.items).toMatchObject([{ reason: "as it was", author: "tester/operator" }, {}]);
    expect(revisions.json.next).not.toBeNull();
    const diff = await test.ask("GET", "/api/v1/clusters/acted/diff?from=1&to=2");
    expect(diff.json.differences).toMatchObject([{ path: "spec.maintenance.protected", before: false, after: true }]);
    expect((await act("cancel")).json.code).toBe("job-finished");
    expect((await act("backup")).json.code).toBe("job-kind-unsupported");
    const repair = await act("reconcile");
    expect(repair.status).toBe(202);
    expect((await act("retry")).json.code).toBe("job-live");
    await test.settle();
    const nodes = await test.ask("GET", "/api/v1/clusters/acted/nodes", { as: "viewer" });
    expect(nodes.json.items).toMatchObject([{ status: "Ready" }, { status: "Ready" }]);
    expect((await test.ask("GET", "/api/v1/clusters/acted/objects")).json.items).not.toEqual([]);
    expect((await test.ask("DELETE", "/api/v1/clusters/acted")).status).toBe(202);
    await test.settle();
    expect((await test.ask("GET", "/api/v1/clusters/acted")).json.code).toBe("cluster-not-found");
  });

  it("answer 503 with the phase for what an unready cluster cannot tell", async () => {
    await declare("unready");
    const answer = await test.ask("GET", "/api/v1/clusters/unready/nodes");
    expect([answer.status, answer.json.code, answer.json.phase]).toEqual([503, "cluster-not-ready", "Pending"]);
    expect(answer.headers["retry-after"]).toBeDefined();
  });
});

describe("jobs", () => {
  it("are listed, shown with their graph and report, and cancelled", async () => {
    const { json } = await declare("jobbed");
    const id = asText(json.jobId);
    const cancelled = await test.ask("POST", `/api/v1/jobs/${id}/cancel`, {
      body: { reason: "wrong" },
      as: "operator",
    });
    expect([cancelled.status, cancelled.json.state]).toEqual([202, "Canceled"]);
    const retried = await test.ask("POST", `/api/v1/jobs/${id}/retry`, { body: {} });
    expect([retried.status, retried.json.state]).toEqual([202, "Pending"]);
    await test.settle();
    const listed = await test.ask("GET", "/api/v1/jobs?cluster=jobbed&state=Succeeded");
    expect(listed.json.items).toMatchObject([{ id: retried.json.id, percent: 100 }]);
    const url = `/api/v1/jobs/${asText(retried.json.id)}`;
    expect((await test.ask("GET", `${url}/report`)).json).toMatchObject({
      rootCause: null,
      job: { cluster: "jobbed" },
    });
    const markdown = await test.ask("GET", `${url}/report?form=markdown`);
    expect(markdown.headers["content-type"]).toContain("text/markdown");
    expect(markdown.text).toContain("# jobbed: create done");
    expect((await test.ask("GET", "/api/v1/jobs/none")).json.code).toBe("job-not-found");
  });

  it("are not tried again for a cluster that is gone, nor for another that has its name by now", async () => {
    const cancelled = asText((await declare("renamed")).json.jobId);
    await test.ask("POST", `/api/v1/jobs/${cancelled}/cancel`, { body: {} });
    const retry = () => test.ask("POST", `/api/v1/jobs/${cancelled}/retry`, { body: {} });
    await test.ask("DELETE", "/api/v1/clusters/renamed");
    await test.settle();
    expect((await retry()).json).toMatchObject({ status: 404, code: "cluster-not-found" });
    await declare("renamed");
    await test.settle();
    expect((await retry()).json).toMatchObject({ status: 404, code: "cluster-not-found" });
    expect((await test.ask("GET", "/api/v1/jobs?cluster=renamed")).json.items).toHaveLength(1);
  });
});

describe("who may", () => {
  it("is decided by role before anything else", async () => {
    const tries = [
      ["GET", "/api/v1/clusters", null, 401],
      ["GET", "/api/v1/clusters", "drv_unknown", 401],
      ["GET", "/api/v1/clusters", "viewer", 200],
      ["DELETE", "/api/v1/clusters/one", "viewer", 403],
      ["POST", "/api/v1/clusters/one/pause", "viewer", 403],
    ] as const;
    for (const [method, url, as, status] of tries) {
      const answer = await test.ask(method, url, { as });
      expect(answer.status, `${method} ${url} as ${as}`).toBe(status);
      expect("www-authenticate" in answer.headers).toBe(status === 401);
    }
  });

  it("ends at the labels of a scope, as if nothing were behind", async () => {
    await declare("scoped-in", { labels: { team: "red" } });
    await declare("scoped-out", { labels: { team: "blue" } });
    const as = await test.makeToken("operator", ["team=red"]);
    const names = (await test.ask("GET", "/api/v1/clusters", { as })).json.items as unknown as {
      metadata: { name: string };
    }[];
    expect(names.map(({ metadata }) => metadata.name)).toEqual(["scoped-in"]);
    expect((await test.ask("GET", "/api/v1/clusters/scoped-out", { as })).json.code).toBe("cluster-not-found");
    expect((await test.ask("DELETE", "/api/v1/clusters/scoped-out", { as })).json.code).toBe("cluster-not-found");
    expect((await test.ask("POST", "/api/v1/clusters/scoped-out/pause", { as, body: {} })).json.code).toBe(
      "cluster-not-found",
    );
    const jobs = (await test.ask("GET", "/api/v1/jobs", { as })).json.items as unknown as { cluster: string }[];
    expect(new Set(jobs.map(({ cluster }) => cluster))).toEqual(new Set(["scoped-in"]));
    const [foreign] = (await test.ask("GET", "/api/v1/jobs?cluster=scoped-out")).json.items as unknown as {
      id: string;
    }[];
    expect((await test.ask("GET", `/api/v1/jobs/${foreign?.id}`, { as })).json.code).toBe("job-not-found");
    const outside = await test.ask("POST", "/api/v1/clusters", {
      as,
      body: document("new-blue", { labels: { team: "blue" } }),
    });
    expect([outside.status, outside.json.code]).toEqual([403, "forbidden"]);
    const moved = await test.ask("PUT", "/api/v1/clusters/scoped-in", {
      as,
      body: document("scoped-in", { labels: { team: "blue" } }),
      headers: { "if-match": "*" },
    });
    expect(moved.json.code).toBe("forbidden");
    expect((await test.ask("GET", "/api/v1/cluster-counts", { as })).json.total).toBe(1);
  });
});
