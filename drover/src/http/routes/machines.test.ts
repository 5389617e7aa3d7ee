import type { MachineFacts } from "@drover/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestServer } from "../../../test/http.ts";
import { parseFacts } from "../../machines/facts/parse-facts.ts";
import type { MachineSeen } from "../../ports/store/index.ts";

let test: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  test = await openTestServer();
  await test.ask("POST", "/api/v1/secrets", { body: { name: "ssh-key", entries: { privateKey: "k" } } });
});
afterAll(() => test.dispose());

const KEY = `SHA256:${"a".repeat(43)}`;
const OTHER_KEY = `SHA256:${"b".repeat(43)}`;
const credential = { name: "ssh-key" };

const asList = (value: unknown): readonly unknown[] => value as readonly unknown[];

const problemsOf = ({ json }: { readonly json: { readonly problems?: unknown } }) =>
  (json.problems as { path: string; code: string }[]).map(({ path, code }) => [path, code]);

const enroll = (...machines: readonly object[]) => test.ask("POST", "/api/v1/machines", { body: { machines } });

/** What a worker would have seen. */
async function see(more: Partial<MachineSeen> = {}): Promise<void> {
  const { token, machines } = await test.store.machineLooks.claimMachines({ limit: 100, leaseMs: 60_000 });
  const seen = machines.map(({ id, version }) => ({
    ...{ id, version, state: "Reachable" as const, reason: null, message: "", offered: null, nextLookMs: 3_600_000 },
    ...more,
  }));
  await test.store.machineLooks.saveSeen(token, seen);
}

const factsOf = (...lines: readonly string[]): MachineFacts => {
  const told = ["uid\t0", "uname\thost 6.1 x86_64", ...lines].join("\n");
  return parseFacts(told, { sentAt: 0, answeredAt: 0 }) as MachineFacts;
};

const artifacts = { source: "directory", location: "/srv/artifacts" };

const document = (name: string, nodes: readonly object[]) =>
  JSON.stringify({
    ...{ apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name } },
    spec: {
      ...{ provider: "ssh", kubernetes: { version: "v1.34.4" } },
      ssh: { distribution: "kubeadm", access: { credential }, artifacts, schedulableControlPlane: true, nodes },
    },
  });

const controlPlane = (address: string) => ({ name: "cp", address, roles: ["controlplane", "etcd"] });

describe("enrolling", () => {
  it("fills in what was left out, and answers with the machines", async () => {
    const made = await enroll({ name: "web-1", address: "10.0.0.1", credential, labels: { rack: "a" }, hostKey: KEY });
    expect([made.status, made.json.items]).toMatchObject([
      201,
      [
        {
          ...{ name: "web-1", port: 22, user: "root", sudo: { mode: "passwordless" }, state: "Pending", version: 1 },
          hostKey: { fingerprint: KEY, origin: "given", type: null },
          ...{ facts: null, usedBy: null, problems: [], message: "" },
        },
      ],
    ]);
    const got = await test.ask("GET", "/api/v1/machines/web-1", { as: "viewer" });
    expect(got.json).toEqual(asList(made.json.items)[0]);
  });

  it("says everything that is wrong with any of them, and keeps none", async () => {
    const refusal = await enroll(
      { name: "web-2", address: "10.0.0.2", credential, sudo: { mode: "password" } },
      { name: "web-2", address: "10.0.0.3", credential: { name: "none" } },
      { name: "web-3", address: "10.0.0.2", credential, sudo: { mode: "none", credential } },
      { name: "web-4", address: "10.0.0.1", credential },
    );
    expect([refusal.status, refusal.json.code]).toEqual([422, "validation-failed"]);
    expect(problemsOf(refusal)).toEqual([
      ["machines[1].name", "duplicate"],
      ["machines[2].address", "duplicate"],
      ["machines[0].sudo.credential", "field-needed"],
      ["machines[1].credential.name", "unknown-value"],
      ["machines[2].sudo.credential", "field-excluded"],
      ["machines[3].address", "machine-address-taken"],
    ]);
    const taken = await enroll(
      { name: "web-1", address: "10.0.0.9", credential },
      { name: "x", address: "10.0.0.1", credential },
    );
    expect(problemsOf(taken)).toEqual([
      ["machines[0].name", "machine-name-taken"],
      ["machines[1].address", "machine-address-taken"],
    ]);
    expect((await test.ask("GET", "/api/v1/machines")).json.items).toHaveLength(1);
  });

  it("answers a repeated request as before", async () => {
    const body = { machines: [{ name: "again", address: "10.0.0.77", credential }] };
    const headers = { "idempotency-key": "once" };
    const first = await test.ask("POST", "/api/v1/machines", { body, headers });
    const second = await test.ask("POST", "/api/v1/machines", { body, headers });
    expect([first.status, second.status, second.json]).toEqual([201, 201, first.json]);
    await test.ask("DELETE", "/api/v1/machines/again");
  });
});

it("shows what was seen, and filters by it", async () => {
  await see({ facts: factsOf("memory\tSwapTotal: 4096", "cpus\t4") });
  const { json } = await test.ask("GET", "/api/v1/machines/web-1");
  expect(json).toMatchObject({
    state: "Reachable",
    facts: { cpus: 4, hostname: "host" },
    problems: [{ code: "machine-swap" }],
  });
  expect(json.factsTime).toBe(json.lookedTime);
  const count = async (query: string) => asList((await test.ask("GET", `/api/v1/machines?${query}`)).json.items).length;
  expect(await count("state=Reachable&selector=rack%3Da")).toBe(1);
  expect(await count("state=Denied")).toBe(0);
  expect(await count("search=10.0.0.1")).toBe(1);
  expect((await test.ask("GET", "/api/v1/machines?selector=%3D")).json.code).toBe("request-invalid");
});

it("changes from the version that was read", async () => {
  const access = { address: "10.0.0.1", credential, labels: { rack: "b" } };
  const change = (version: string, body: object) =>
    test.ask("PUT", "/api/v1/machines/web-1", { body, headers: { "if-match": version } });
  expect((await test.ask("PUT", "/api/v1/machines/web-1", { body: access })).json.code).toBe("precondition-required");
  const changed = await change('"1"', access);
  expect([changed.status, changed.json]).toMatchObject([
    200,
    { version: 2, labels: { rack: "b" }, state: "Reachable" },
  ]);
  expect((await change('"1"', access)).json.code).toBe("generation-conflict");
  expect((await change("*", { ...access, credential: { name: "none" } })).json.problems).toMatchObject([
    { path: "credential.name", code: "unknown-value" },
  ]);
});

it("is looked at again when somebody asks", async () => {
  const asked = await test.ask("POST", "/api/v1/machines/web-1/facts", { as: "operator" });
  expect(asked.status).toBe(202);
  expect(await test.store.machineLooks.nextMachineIn()).toBe(0);
  expect((await test.ask("POST", "/api/v1/machines/none/facts")).json.code).toBe("machine-not-found");
});

it("pins another key only when somebody accepts exactly that one, and keeps both on record", async () => {
  const offered = { of: "machine", fingerprint: OTHER_KEY, type: "ssh-ed25519" } as const;
  await see({ state: "KeyChanged", reason: "host-key-changed", message: "Another key.", offered });
  expect((await test.ask("GET", "/api/v1/machines/web-1")).json).toMatchObject({
    ...{ state: "KeyChanged", offeredHostKey: offered, hostKey: { fingerprint: KEY } },
  });
  const accept = (fingerprint: string) =>
    test.ask("POST", "/api/v1/machines/web-1/host-key", { body: { fingerprint } });
  expect((await accept(KEY)).json.code).toBe("host-key-differs");
  expect((await accept(OTHER_KEY)).json).toMatchObject({
    state: "Pending",
    hostKey: { fingerprint: OTHER_KEY, origin: "accepted" },
  });
  const audit = await test.ask("GET", "/api/v1/audit?objectName=web-1");
  expect(audit.text).toContain("machine.accept-key");
  expect(audit.text).toContain(KEY);
  expect(audit.text).toContain(OTHER_KEY);
});

describe("with a cluster", () => {
  it("is used by it, and then not forgotten", async () => {
    const declared = await test.ask("POST", "/api/v1/clusters", { body: document("prod", [controlPlane("10.0.0.1")]) });
    expect(declared.json).toMatchObject({ cluster: "prod" });
    expect((await test.ask("GET", "/api/v1/machines/web-1")).json.usedBy).toEqual({ cluster: "prod", node: "cp" });
    const refusal = await test.ask("DELETE", "/api/v1/machines/web-1");
    expect([refusal.status, refusal.json.code, refusal.json.cluster]).toEqual([409, "machine-in-use", "prod"]);
  });

  it("is checked for it, every problem of every node at once", async () => {
    await see({ facts: factsOf("memory\tMemTotal: 500000", "cpus\t1", "memory\tSwapTotal: 1024") });
    const check = (body: object) => test.ask("POST", "/api/v1/machine-checks", { as: "viewer", body });
    const wanted = document("other", [
      controlPlane("10.0.0.1"),
      { name: "w", address: "10.0.0.99", roles: ["worker"] },
    ]);
    const { json } = await check({ document: wanted });
    expect(json.items).toMatchObject([
      {
        ...{ machine: "web-1", state: "Reachable" },
        problems: [
          { code: "machine-memory", path: "spec.ssh.nodes[0]", severity: "error" },
          { code: "machine-cpu" },
          { code: "machine-swap", command: expect.stringContaining("swapoff") },
        ],
      },
      { machine: "w", state: null, problems: [{ code: "machine-not-enrolled", path: "spec.ssh.nodes[1]" }] },
    ]);
    expect((await check({ cluster: "prod" })).json.items).toMatchObject([{ machine: "web-1" }]);
    expect((await check({ cluster: "none" })).json.code).toBe("cluster-not-found");
    expect((await check({ machines: ["none"] })).json.code).toBe("machine-not-found");
    expect((await check({})).json.items).toHaveLength(1);
    expect((await check({ document: "a: [" })).json.code).toBe("validation-failed");
  });
});

it("keeps the secret that a machine names", async () => {
  await enroll({ name: "alone", address: "10.0.0.50", credential });
  const refusal = await test.ask("DELETE", "/api/v1/secrets/ssh-key");
  expect([refusal.json.code, refusal.json.machines]).toEqual(["secret-in-use", ["alone", "web-1"]]);
});

it("binds those with a scope to machines within, and to the secrets of these", async () => {
  await test.ask("POST", "/api/v1/secrets", { body: { name: "other", entries: { password: "p" } } });
  await enroll({ name: "scoped", address: "10.0.0.60", credential, labels: { env: "prod" } });
  const as = await test.makeToken("operator", ["env=prod"]);
  expect((await test.ask("GET", "/api/v1/machines", { as })).json.items).toMatchObject([{ name: "scoped" }]);
  expect((await test.ask("GET", "/api/v1/machines/web-1", { as })).json.code).toBe("machine-not-found");
  const mine = { name: "mine", address: "10.0.0.61", credential, labels: { env: "prod" } };
  for (const [machine, code] of [
    [{ ...mine, labels: {} }, "forbidden"],
    [{ ...mine, credential: { name: "other" } }, "forbidden"],
    [mine, undefined],
  ] as const) {
    const answer = await test.ask("POST", "/api/v1/machines", { as, body: { machines: [machine] } });
    expect(answer.json.code).toBe(code);
  }
});
