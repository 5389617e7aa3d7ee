import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestServer } from "../../../test/http.ts";
import { API_SERVER, NODE_SUBNET, wishForPort } from "../../domain/allocation.ts";
import { POOLS } from "../../ports/store/world.conformance.ts";

let test: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  test = await openTestServer();
});
afterAll(() => test.dispose());

type Results = readonly { cluster: string; line: number | null; jobId: string | null; problems: Problems }[];
type Problems = readonly { path: string; code: string; message: string }[];
const itemsOf = (json: { readonly [key: string]: unknown }) => json["items"] as Results;
const problemsOf = (json: { readonly [key: string]: unknown }) =>
  (json["problems"] as Problems).map(({ path, code }) => [path, code]);

const TOKEN = "s3cret-token";
const KUBECONFIG = `
apiVersion: v1
kind: Config
current-context: good
clusters:
- { name: good, cluster: { server: "https://10.0.0.1:6443", certificate-authority-data: QUJD } }
- { name: lax, cluster: { server: "https://10.0.0.2:6443", insecure-skip-tls-verify: true, proxy-url: "http://p:1" } }
- { name: plain, cluster: { server: "http://10.0.0.3", certificate-authority: /etc/ca } }
users:
- { name: admin, user: { token: ${TOKEN} } }
- { name: runner, user: { exec: { command: sh }, auth-provider: { name: x }, tokenFile: /t, client-key: /k } }
contexts:
- { name: good, context: { cluster: good, user: admin } }
- { name: lax, context: { cluster: lax, user: admin } }
- { name: bad, context: { cluster: plain, user: runner } }
- { name: broken, context: { cluster: good, user: nobody } }
`;

describe("importing a kubeconfig", () => {
  const send = (contexts: readonly object[], more: object = {}, as?: `drv_${string}`) =>
    test.ask("POST", "/api/v1/import/kubeconfig", {
      body: { kubeconfig: KUBECONFIG, contexts, ...more },
      ...(as === undefined ? {} : { as }),
    });

  it("tells everything that is wrong, in a dry run, and stores nothing", async () => {
    const dry = await send(
      [
        { context: "good", name: "one" },
        { context: "none", name: "two" },
        { context: "broken", name: "three" },
        { context: "bad", name: "one" },
      ],
      { dryRun: true },
    );
    const found = itemsOf(dry.json).map(({ cluster, problems }) => [cluster, problems.map(({ code }) => code)]);
    const danger = "kubeconfig-dangerous";
    expect(found).toEqual([
      ["one", []],
      ["two", ["unknown-value"]],
      ["three", ["required"]],
      ["one", ["duplicate", danger, danger, danger, danger, danger, danger]],
    ]);
    expect(dry.text).not.toContain(TOKEN);
    expect(await test.store.secrets.listSecrets("named")).toEqual([]);
    expect((await test.ask("GET", "/api/v1/clusters")).json.items).toEqual([]);
  });

  it("refuses what is dangerous with the reason, unless it is allowed", async () => {
    const refusal = await send([{ context: "lax", name: "lax" }]);
    expect([refusal.status, refusal.json.code]).toEqual([422, "kubeconfig-refused"]);
    expect(refusal.json.detail).toMatch(/proxy-url.*insecure-skip-tls-verify/);
    expect((await send([{ context: "lax", name: "lax" }], { allow: { proxy: true } })).json.code).toBe(
      "kubeconfig-refused",
    );
    expect(await test.store.secrets.listSecrets("named")).toEqual([]);
    const allow = { proxy: true, insecureTls: true };
    expect((await send([{ context: "lax", name: "lax" }], { allow })).status).toBe(202);
    expect((await test.store.read.findCluster("lax"))?.spec.imported).toMatchObject({ allow, locked: true });
  });

  it("declares each context as a locked cluster, with its kubeconfig as a secret of its own", async () => {
    const made = await send([{ context: "good", name: "prod-1", labels: { env: "prod" } }], { reason: "take over" });
    const [result] = itemsOf(made.json);
    expect(result).toMatchObject({ cluster: "prod-1", line: null, jobId: expect.any(String), problems: [] });
    const cluster = await test.store.read.findCluster("prod-1");
    expect(cluster).toMatchObject({ provider: "imported", labels: { env: "prod" } });
    expect(cluster?.spec.imported).toMatchObject({ context: "good", locked: true });
    expect((await test.store.read.getJob(result?.jobId ?? ""))?.kind).toBe("import");
    const { name = "", key } = cluster?.spec.imported?.kubeconfig ?? {};
    const stored = JSON.parse(Buffer.from((await test.store.secrets.getSecret("named", name)) ?? []).toString()) as {
      [key: string]: string;
    };
    expect(stored[key ?? ""]).toContain(TOKEN);
    expect(stored[key ?? ""]).not.toMatch(/lax|runner|exec/);
    const seen = [made.text, (await test.ask("GET", "/api/v1/clusters/prod-1")).text];
    expect(`${seen.join()}${(await test.ask("GET", "/api/v1/audit")).text}`).not.toContain(TOKEN);
  });

  it("leaves out names that are taken, and answers a repeated key as before", async () => {
    const taken = await send([{ context: "good", name: "prod-1" }]);
    expect(taken.json.code).toBe("cluster-exists");
    const ask = () =>
      test.ask("POST", "/api/v1/import/kubeconfig", {
        body: { kubeconfig: KUBECONFIG, contexts: [{ context: "good", name: "prod-2" }] },
        headers: { "idempotency-key": "import" },
      });
    const [first, second] = [await ask(), await ask()];
    expect(second.json).toEqual(first.json);
    const names = (await test.store.secrets.listSecrets("named")).map(({ name }) => name.replace(/\.\w+$/, ""));
    expect(names).toEqual(["imported.lax", "imported.prod-1", "imported.prod-2"]);
  });

  it("is bound to one's scope, and reads nothing but one kubeconfig", async () => {
    const as = await test.makeToken("operator", ["env=prod"]);
    expect((await send([{ context: "good", name: "x" }], {}, as)).json.code).toBe("forbidden");
    expect((await send([{ context: "good", name: "x", labels: { env: "prod" } }], {}, as)).status).toBe(202);
    for (const kubeconfig of ["kind: Pod", "[]", "a: b\n---\nc: d"]) {
      const answer = await send([{ context: "good", name: "y" }], { kubeconfig });
      expect(answer.json.code).toBe("document-unparsable");
    }
    const alias = await send([{ context: "a", name: "y" }], { kubeconfig: "a: &x [1]\nb: *x" });
    expect(alias.json.code).toBe("validation-failed");
  });
});

describe("environments.csv", () => {
  const HEADER = "name,provider,subnet,node_port,pf_port,http_port,https_port\n";
  const GOOD = `${HEADER}dev,kind,,30080,19001,18090,18443\r\n\n"dev-k3d",k3d,10.101.0.0/16,30080,19002,18091,18444\n`;
  const send = (csv: string, dryRun = false, as?: `drv_${string}`) =>
    test.ask("POST", `/api/v1/import/environments?reason=move${dryRun ? "&dryRun=true" : ""}`, {
      body: { csv },
      ...(as === undefined ? {} : { as }),
    });

  it("tells every problem of every line in a dry run, and stores nothing", async () => {
    const lines = [
      "good,kind,,,,,",
      "Bad_Name,kind,,,,,",
      "soft,vmware,,,,,",
      "nets,kind,10.0.0.0/24,,19000,x,",
      "good,k3d,,,,,",
      "taken,k3d,,,,18090,",
      "clash,k3d,,,,18090,",
    ];
    const dry = await send(HEADER + lines.join("\n"), true);
    const found = itemsOf(dry.json).map(({ line, cluster, problems }) => [
      line,
      cluster,
      problems.map(({ path, code }) => `${path} ${code}`),
    ]);
    expect(found).toEqual([
      [2, "good", []],
      [3, "Bad_Name", ["metadata.name bad-name"]],
      [4, "soft", ["provider unknown-value"]],
      [5, "nets", ["subnet field-unsupported", "node_port field-needed", "http_port wrong-type"]],
      [6, "good", ["name duplicate"]],
      [7, "taken", []],
      [8, "clash", ["spec.networking.ports[0].hostPort port-taken"]],
    ]);
    expect(await test.store.read.findCluster("good")).toBeNull();
    const real = await send(HEADER + lines.join("\n"));
    expect(real.json.code).toBe("validation-failed");
    expect(problemsOf(real.json)[0]).toEqual(["line 3: metadata.name", "bad-name"]);
    expect(await test.store.read.findCluster("good")).toBeNull();
  });

  it("refuses columns that it does not know, and texts that it cannot read", async () => {
    expect(problemsOf((await send("name,colour,name\n")).json)).toEqual([
      ["csv", "unknown-field"],
      ["csv", "required"],
      ["csv", "duplicate"],
    ]);
    expect(problemsOf((await send('name,provider\n"a,kind\n')).json)).toEqual([["csv", "bad-syntax"]]);
    const long = HEADER + "x,kind,,,,,\n".repeat(1_001);
    expect((await send(long)).json.code).toBe("document-too-large");
  });

  it("declares the clusters of the lines, and comes out again as it went in", async () => {
    const made = await send(GOOD);
    expect(itemsOf(made.json)).toMatchObject([
      { cluster: "dev", line: 2, jobId: expect.any(String) },
      { cluster: "dev-k3d", line: 4 },
    ]);
    expect((await test.store.read.findCluster("dev-k3d"))?.spec).toMatchObject({
      k3d: { subnet: "10.101.0.0/16" },
      networking: { ports: [{ name: "node", containerPort: 30080, hostPort: 19002 }, { containerPort: 80 }, {}] },
    });
    const exported = await test.ask("GET", "/api/v1/export/environments", { as: "viewer" });
    expect(exported.headers["content-type"]).toContain("text/csv");
    expect(exported.text).toContain(
      "\ndev,kind,,30080,19001,18090,18443\ndev-k3d,k3d,10.101.0.0/16,30080,19002,18091,",
    );
    const again = await send(exported.text);
    expect(again.status).toBe(202);
    expect(itemsOf(again.json).every(({ jobId, problems }) => jobId === null && problems.length === 0)).toBe(true);
    const changed = await send("env,provider,http_port\ndev,kind,1\n");
    expect(problemsOf(changed.json)).toEqual([["line 2: http_port", "duplicate"]]);
  });

  it("exports what was chosen for a cluster, and takes it back as the same cluster", async () => {
    expect((await send("name,provider,node_port\nopen-1,k3d,30081\n")).status).toBe(202);
    const worker = { id: "w9", host: "h9", providers: ["k3d"], hostBound: ["k3d"] };
    const claimed = await test.store.jobs.claimJobs(worker, { limit: 100, leaseMs: 60_000 });
    const held = claimed.find(({ cluster }) => cluster.name === "open-1");
    const exposed = held?.cluster.spec.networking?.ports?.[0];
    if (held === undefined || exposed === undefined) throw new Error("The cluster publishes nothing.");
    const from = { pools: POOLS, except: [] };
    await test.store.jobs.reserveAllocation(held.ref, wishForPort(exposed), from);
    await test.store.jobs.reserveAllocation(held.ref, NODE_SUBNET, from);
    await test.store.jobs.reserveAllocation(held.ref, API_SERVER, from);
    const line = "open-1,k3d,10.210.0.0/24,30081,20000,,";
    const { text } = await test.ask("GET", "/api/v1/export/environments");
    expect(text).toContain(`\n${line}\n`);
    for (const csv of [text, HEADER + line, `${HEADER}open-1,k3d,,30081,,,`]) {
      expect(itemsOf((await send(csv, true)).json).flatMap(({ problems }) => problems)).toEqual([]);
    }
    expect((await test.ask("GET", "/api/v1/clusters/open-1")).json["status"]).toMatchObject({
      allocations: {
        ...{ host: "h9", apiServerPort: 20_001, subnet: "10.210.0.0/24" },
        ports: [{ containerPort: 30_081, protocol: "TCP", hostPort: 20_000 }],
      },
    });
    const clash = await send(`${HEADER}clash-2,kind,,,,20001,`, true);
    expect(itemsOf(clash.json)[0]?.problems).toMatchObject([{ code: "port-taken" }]);
  });

  it("shows and takes only what is in scope", async () => {
    const as = await test.makeToken("operator", ["env=prod"]);
    const { text } = await test.ask("GET", "/api/v1/export/environments", { as });
    expect(text).toContain("prod-1,imported");
    expect(text).not.toContain("dev,kind");
    expect((await send("name,provider\nnew,kind\n", false, as)).json.code).toBe("forbidden");
    expect(itemsOf((await send("name,provider\ndev,kind\n", true, as)).json)).toMatchObject([
      { problems: [{ path: "name", code: "duplicate" }] },
    ]);
  });
});

describe("consistency", () => {
  const report = async (as?: `drv_${string}`) =>
    (await test.ask("GET", "/api/v1/consistency", as === undefined ? {} : { as })).json as unknown as {
      checkedTime: string | null;
      items: { id: string; cluster: string; verdict: string; message: string; repair: object | null }[];
    };
  const disturb = (clusterId: string, disturbance: "node-lost" | "cluster-lost") => {
    const mark = { clusterId, clusterName: "drifting", key: null, token: null, operation: null };
    test.world.append([{ call: "disturb", ...mark, input: { disturbance } }]);
  };
  const find = async (cluster: string) => (await report()).items.find((one) => one.cluster === cluster);

  it("tells from the last looks what is not as declared, and repairs it by ordinary jobs", async () => {
    const spec = { provider: "simulated", simulated: { workers: 2 }, maintenance: { selfHeal: "report" } };
    const metadata = { name: "drifting", labels: { env: "sim" } };
    const body = JSON.stringify({ apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata, spec });
    expect((await test.ask("POST", "/api/v1/clusters", { body })).status).toBe(202);
    await test.settle();
    expect(await find("drifting")).toBeUndefined();
    const { id = "" } = (await test.store.read.findCluster("drifting")) ?? {};
    disturb(id, "node-lost");
    const as = await test.makeToken("operator", ["env=sim"]);
    expect((await test.ask("POST", "/api/v1/consistency/check", { as })).json).toEqual({ started: true });
    await test.settle();
    const found = await find("drifting");
    expect(found).toMatchObject({ verdict: "different", repair: { destructive: false } });
    expect((await report(as)).items.map(({ cluster }) => cluster)).toEqual(["drifting"]);
    expect((await report(as)).checkedTime).toEqual(expect.any(String));
    const ask = (ids: readonly (string | undefined)[], who = as) =>
      test.ask("POST", "/api/v1/consistency/repair", { as: who, body: { ids, reason: "heal" } });
    expect((await ask(["provider.none"])).json.code).toBe("validation-failed");
    expect((await ask([found?.id], await test.makeToken("operator", ["env=prod"]))).json.code).toBe(
      "validation-failed",
    );
    const repaired = await ask([found?.id]);
    const [jobId] = repaired.json.jobIds as unknown as string[];
    expect(await test.store.read.getJob(jobId ?? "")).toMatchObject({ kind: "repair", reason: "heal" });
    await test.settle();
    expect(await find("drifting")).toBeUndefined();
    disturb(id, "cluster-lost");
    await test.ask("POST", "/api/v1/consistency/check");
    await test.settle();
    expect(await find("drifting")).toMatchObject({ verdict: "missing", repair: { destructive: false } });
  });

  it("names clusters on the hosts of workers that nobody has declared here, and whose they are", async () => {
    const { id = "" } = (await test.store.read.findCluster("drifting")) ?? {};
    const found = [
      { provider: "kind", name: "theirs", clusterId: null },
      { provider: "kind", name: "lost", clusterId: "00000000-0000-7000-8000-000000000000" },
      { provider: "kind", name: "drifting", clusterId: id },
      { provider: 7, name: "nonsense", clusterId: null },
    ];
    await test.store.workers.showPresence({ id: "w8", about: { host: "h8", found }, ttlMs: 60_000 });
    const told = (await report()).items.filter((one) => one.id.startsWith("host."));
    expect(told.map(({ verdict, message }) => [verdict, message])).toEqual([
      ["foreign", "The kind cluster theirs on h8 was not made by Drover; it is left alone. Import it to see it here."],
      ["orphaned", "The kind cluster lost on h8 was made by Drover, but is not declared here; it is left alone."],
    ]);
    const hidden = await report(await test.makeToken("viewer", ["env=sim"]));
    expect(hidden.items.filter((one) => one.id.startsWith("host."))).toEqual([]);
    await test.store.workers.leave("w8");
  });

  it("names what was left behind by clusters that are gone", async () => {
    const metadata = { name: "leaver", labels: { env: "sim" } };
    const spec = { provider: "simulated", simulated: {} };
    const body = JSON.stringify({ apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata, spec });
    await test.ask("POST", "/api/v1/clusters", { body });
    const worker = { id: "w9", host: "h9", providers: ["simulated"], hostBound: [] };
    const [claimed] = await test.store.jobs.claimJobs(worker, { limit: 1, leaseMs: 60_000 });
    if (claimed === undefined) throw new Error("There is no job to claim.");
    await test.store.jobs.recordIntended(claimed.ref, { system: "dns", kind: "record", ref: "leaver.example" });
    await test.store.jobs.finishJobs([{ ref: claimed.ref, state: "Succeeded" }]);
    await test.ask("DELETE", "/api/v1/clusters/leaver?releaseLeftovers=true");
    const [deletion] = await test.store.jobs.claimJobs(worker, { limit: 1, leaseMs: 60_000 });
    if (deletion === undefined) throw new Error("There is no deletion to claim.");
    await test.store.jobs.finishDeletion(deletion.ref, {});
    const orphan = (await report()).items.find(({ verdict }) => verdict === "orphaned");
    expect(orphan).toMatchObject({ cluster: "leaver", system: "dns", repair: null });
    const hidden = await report(await test.makeToken("viewer", ["env=prod"]));
    expect(hidden.items.filter(({ verdict }) => verdict === "orphaned")).toEqual([]);
  });
});
