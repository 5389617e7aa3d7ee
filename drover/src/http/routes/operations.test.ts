import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asText, openTestServer } from "../../../test/http.ts";

let test: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  test = await openTestServer();
});
afterAll(() => test.dispose());

const document = (name: string, env = "dev") => `
apiVersion: drover.dev/v1alpha1
kind: Cluster
metadata: { name: ${name}, labels: { env: ${env} } }
spec: { provider: simulated, simulated: {} }
`;
const declare = (name: string, env?: string) => test.ask("POST", "/api/v1/clusters", { body: document(name, env) });

describe("the endpoint for Argo CD's plugin generator", () => {
  const ask = (secret: string, parameters = {}) =>
    test.ask("POST", "/api/v1/getparams.execute", {
      as: null,
      headers: { authorization: `Bearer ${secret}` },
      body: { applicationSetName: "apps", input: { parameters } },
    });

  it("accepts its own token only, and only the newest", async () => {
    const first = asText((await test.ask("POST", "/api/v1/argocd/token")).json.secret);
    const second = asText((await test.ask("POST", "/api/v1/argocd/token")).json.secret);
    for (const secret of [first, "wrong", test.tokens.admin]) expect((await ask(secret)).status, secret).toBe(403);
    expect((await ask(second)).status).not.toBe(403);
    expect((await test.ask("GET", "/api/v1/clusters", { as: second as `drv_${string}` })).status).toBe(401);
    expect((await test.ask("POST", "/api/v1/argocd/token", { as: "operator" })).status).toBe(403);
  });

  it("never answers with an empty list by mistake", async () => {
    const secret = asText((await test.ask("POST", "/api/v1/argocd/token")).json.secret);
    const empty = await ask(secret);
    expect([empty.status, empty.json.code]).toEqual([503, "not-authoritative"]);
    await declare("argo-1", "prod");
    await declare("argo-2", "dev");
    await test.settle();
    const all = await ask(secret);
    expect(all.json.output).toMatchObject({
      parameters: [
        { name: "argo-1", "label.env": "prod", phase: "Running", provider: "simulated" },
        { name: "argo-2" },
      ],
    });
    expect((await ask(secret, { selector: "env=prod" })).json.output?.parameters).toMatchObject([{ name: "argo-1" }]);
    expect((await ask(secret, { selectr: "env=prod" })).status).toBe(400);
    for (const name of ["argo-1", "argo-2"]) await test.ask("DELETE", `/api/v1/clusters/${name}`);
    expect((await ask(secret)).json.output?.parameters).toEqual([]);
  });
});

describe("audit", () => {
  it("tells who did what from where, newest first, and that the chain is whole", async () => {
    await declare("audited");
    const listed = await test.ask("GET", "/api/v1/audit?objectName=audited");
    expect(listed.json.items).toMatchObject([
      { action: "cluster.create", actor: { type: "token", name: "tester/admin", address: "127.0.0.1" } },
    ]);
    expect((await test.ask("GET", "/api/v1/audit/verify")).json).toMatchObject({ intact: true, firstBroken: null });
    expect((await test.ask("GET", "/api/v1/audit", { as: "operator" })).status).toBe(403);
  });
});

describe("settings", () => {
  it("are changed by version, checked, and heeded", async () => {
    const put = (key: string, value: unknown, ifMatch = "*") =>
      test.ask("PUT", `/api/v1/settings/${key}`, { body: { value }, headers: { "if-match": ifMatch } });
    const changed = await put("changes.reasonRequired", true);
    expect(changed.json).toMatchObject({ value: true, version: 1 });
    expect((await declare("unreasoned")).json.code).toBe("reason-required");
    expect((await test.ask("POST", "/api/v1/clusters?reason=why", { body: document("reasoned") })).status).toBe(202);
    expect((await put("changes.reasonRequired", false, '"7"')).json.code).toBe("setting-conflict");
    expect((await put("changes.reasonRequired", false, String(changed.headers.etag))).status).toBe(200);
    expect((await put("notice.text", 7)).json.code).toBe("validation-failed");
    expect((await put("store.events", 7)).json.code).toBe("setting-not-found");
    expect((await test.ask("GET", "/api/v1/settings")).json.items).toMatchObject([{ key: "notice.text" }, {}, {}]);
    expect((await test.ask("GET", "/api/v1/options")).status).toBe(200);
  });
});

describe("workers", () => {
  it("are listed while they are here, and stop when they are drained", async () => {
    await test.settle();
    const stop = new AbortController();
    const ended = test.worker.run(stop.signal);
    const list = async () => (await test.ask("GET", "/api/v1/workers")).json.items as unknown as { id: string }[];
    await expect.poll(list).toMatchObject([{ id: "w1", host: "h1", state: "Idle" }]);
    expect((await test.ask("POST", "/api/v1/workers/none/drain")).json.code).toBe("worker-not-found");
    const drained = await test.ask("POST", "/api/v1/workers/w1/drain");
    expect([drained.status, drained.json.state]).toEqual([202, "Draining"]);
    await ended;
    expect(await list()).toEqual([]);
    stop.abort();
  });
});

describe("help for helpers", () => {
  it("shows figures to Prometheus, with patterns for labels instead of names", async () => {
    await test.ask("GET", "/api/v1/clusters/nothing");
    const { text } = await test.ask("GET", "/metrics", { as: "viewer" });
    expect(text).toMatch(
      /drover_http_requests_total\{method="GET",route="\/api\/v1\/clusters\/:name",status="404"\} \d/,
    );
    expect(text).toContain('drover_clusters{phase="');
    expect(text).toContain("drover_job_queue_age_seconds");
    expect(text).not.toContain("clusters/nothing");
    expect((await test.ask("GET", "/metrics", { as: null })).status).toBe(401);
  });

  it("shows how long the work of each worker took, and what is held", async () => {
    await declare("timed");
    const stop = new AbortController();
    const ended = test.makeWorker("w2").run(stop.signal);
    const read = async () => (await test.ask("GET", "/metrics", { as: "viewer" })).text;
    const labels = 'worker="w2",kind="create",outcome="done"';
    await expect.poll(read).toContain(`drover_reconcile_seconds_count{${labels}} 1\n`);
    const text = await read();
    expect(text).toContain(`drover_reconcile_seconds_bucket{${labels},le="+Inf"} 1\n`);
    expect(text).toMatch(/drover_reconcile_seconds_count\{worker="w2",kind="look",outcome="done"\} [1-9]/);
    expect(text).toContain('drover_leases{kind="worker"} 1\n');
    stop.abort();
    await ended;
  });

  it("puts everything somebody would ask for into one archive", async () => {
    const answer = await test.server.inject({
      method: "POST",
      url: "/api/v1/support-bundle",
      headers: { host: "localhost", authorization: `Bearer ${test.tokens.admin}` },
    });
    const archive = gunzipSync(answer.rawPayload).toString("latin1");
    for (const name of ["about.json", "store.json", "workers.json", "events.json"]) expect(archive).toContain(name);
    expect(archive).not.toContain(test.tokens.admin);
  });

  it("describes itself, for programs and for people", async () => {
    const spec = await test.ask("GET", "/api/v1/openapi.json", { as: null });
    expect(spec.json.openapi).toBe("3.1.0");
    const page = await test.ask("GET", "/api/v1/docs", { as: null });
    expect(page.headers["content-type"]).toContain("text/html");
    expect(page.text).toContain("<code>/api/v1/clusters/{name}</code>");
    expect(page.text).not.toMatch(/<script|style="/);
    expect((await test.ask("GET", "/api/v1/docs.css", { as: null })).headers["content-type"]).toContain("text/css");
  });
});
