import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runTestCli } from "../../../test/cli.ts";
import { sampleCluster } from "../../../test/contract-samples.ts";
import { json, startContractServer } from "../../../test/contract-server.ts";
import { makeTempFolder } from "../../../test/temp-folder.ts";
import { COMMANDS } from "./index.ts";

describe("drover check", () => {
  const checkWith = async (clusters: readonly object[], undeclared: readonly object[]) => {
    const { url } = await startContractServer({
      "GET /api/v1/clusters": json({ items: clusters, next: null }),
      "GET /api/v1/consistency": json({ checkedTime: null, items: undeclared }),
    });
    return await runTestCli(url, ["check"]);
  };
  const check = async (...clusters: readonly object[]) => await checkWith(clusters, []);

  it("ends with 0 when all is as declared, or on its way", async () => {
    const { code, out } = await check(sampleCluster("a"), sampleCluster("b", { phase: "Creating" }));
    expect([code, out]).toEqual([0, "2 clusters are as declared.\n"]);
  });

  it("ends with 3 and names what is not", async () => {
    const { code, out } = await check(sampleCluster("a", { modifiers: ["Drifted"] }), sampleCluster("b"));
    expect(code).toBe(3);
    expect(out).toMatch(/^✘ a: Running, Drifted\n1 of 2 clusters/);
  });

  it("tells of clusters that nobody has declared; those of others are no trouble", async () => {
    const found = { id: "x", cluster: null, system: "kind", message: "It is there.", repair: null };
    const foreign = await checkWith([], [{ ...found, verdict: "foreign" }]);
    expect([foreign.code, foreign.out]).toEqual([0, "· It is there.\n0 clusters are as declared.\n"]);
    expect((await checkWith([], [{ ...found, verdict: "orphaned" }])).code).toBe(3);
  });
});

describe("drover diff", () => {
  it("ends with 3 when anything differs", async () => {
    const differences = [{ path: "spec.simulated.workers", before: 1, after: 2 }];
    const { url, asked } = await startContractServer({ "GET /api/v1/clusters/demo/diff": json({ differences }) });
    const { code, out } = await runTestCli(url, ["diff", "demo", "--from", "1"]);
    expect([code, out]).toEqual([3, "cluster/demo:\n  ~ spec.simulated.workers: 1 → 2\n"]);
    expect(asked[0]?.url).toBe("/api/v1/clusters/demo/diff?from=1");
  });
});

describe("drover audit verify", () => {
  it.each([
    [0, { entries: 3, intact: true, firstBroken: null }, "3 entries, all fit together.\n"],
    [3, { entries: 3, intact: false, firstBroken: 2 }, expect.stringContaining("Entry 2 does not fit")],
  ])("ends with %i", async (expected, answer, said) => {
    const { url } = await startContractServer({ "GET /api/v1/audit/verify": json(answer) });
    const { code, out } = await runTestCli(url, ["audit", "verify"]);
    expect([code, out]).toEqual([expected, said]);
  });
});

describe("drover kubeconfig", () => {
  it("writes a file for its owner only", async () => {
    const answer = { id: "k", kubeconfig: "apiVersion: v1\n", expiresTime: null };
    const { url, asked } = await startContractServer({ "POST /api/v1/clusters/demo/kubeconfigs": json(answer, 201) });
    const file = join(makeTempFolder("kube"), "config");
    expect((await runTestCli(url, ["kubeconfig", "demo", "--file", file, "--lifetime", "2h"])).code).toBe(0);
    expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["apiVersion: v1\n", 0o600]);
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({ role: "viewer", lifetimeSeconds: 7_200 });
  });
});

describe("drover kubeconfig --merge", () => {
  const KUBECONFIG = `kind: Config
current-context: x
clusters: [{ name: x, cluster: { server: "https://a" } }]
users: [{ name: x, user: { token: t } }]
contexts: [{ name: x, context: { cluster: x, user: x } }]
`;
  afterEach(() => void vi.unstubAllEnvs());

  it("writes into the file that kubectl uses, and asks for nothing when something is in the way", async () => {
    const answer = json({ id: "k", kubeconfig: KUBECONFIG, expiresTime: null }, 201);
    const { url, asked } = await startContractServer({ "POST /api/v1/clusters/demo/kubeconfigs": answer });
    const file = join(makeTempFolder("kube"), "config");
    vi.stubEnv("KUBECONFIG", file);
    const { code, out } = await runTestCli(url, ["kubeconfig", "demo", "--merge"]);
    expect([code, out]).toEqual([0, `Merged into ${file}. Use it with \`kubectl --context drover-demo\`.\n`]);
    expect(readFileSync(file, "utf8")).toContain("name: drover-demo");
    writeFileSync(file, "kind: Config\nusers: [{ name: drover-demo, user: {} }]\n");
    const refused = await runTestCli(url, ["kubeconfig", "demo", "--merge"]);
    expect([refused.code, refused.err.includes("Drover did not write"), asked.length]).toEqual([2, true, 1]);
  });

  it("goes on asking while a worker is at work, with the same key", async () => {
    let times = 0;
    const pending = {
      ...{ type: "urn:drover:error:kubeconfig-pending", title: "t", status: 503, code: "kubeconfig-pending" },
      ...{ detail: "A worker is at work.", hint: "h", retryable: true, requestId: "r", jobId: "j" },
    };
    const { url, asked } = await startContractServer({
      "POST /api/v1/clusters/demo/kubeconfigs": (request, response) => {
        times += 1;
        if (times > 1) return json({ id: "k", kubeconfig: KUBECONFIG, expiresTime: null }, 201)(request, response);
        response.writeHead(503, { "content-type": "application/problem+json", "retry-after": "0" });
        response.end(JSON.stringify(pending));
      },
    });
    const { code, out } = await runTestCli(url, ["kubeconfig", "demo"]);
    expect([code, out]).toEqual([0, KUBECONFIG]);
    const keys = asked.map(({ headers }) => headers["idempotency-key"]);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });
});

describe("drover create", () => {
  it("prints the document with --dry-run and asks nobody", async () => {
    const { url, asked } = await startContractServer({});
    const args = [
      "create",
      "cluster",
      "dev-1",
      "--provider",
      "kind",
      "--workers",
      "2",
      "--label",
      "env=dev",
      "--dry-run",
    ];
    const { code, out } = await runTestCli(url, args);
    expect([code, asked]).toEqual([0, []]);
    expect(out).toMatch(/name: dev-1\n {2}labels:\n {4}env: dev\n.*provider: kind/s);
    expect(out).toMatch(/kind:\n {4}workers: 2\n/);
    expect(out).not.toContain("version:");
  });

  it("says how many nodes in the words of the target, and which Kubernetes when it was told", async () => {
    const { url } = await startContractServer({});
    const nodes = ["--control-planes", "3", "--workers", "2", "--kubernetes-version", "v1.34.4"];
    const { out } = await runTestCli(url, ["create", "cluster", "a", "--provider", "k3d", ...nodes, "--dry-run"]);
    expect(out).toMatch(/kubernetes:\n {4}version: v1.34.4\n {2}k3d:\n {4}servers: 3\n {4}agents: 2\n/);
  });

  it.each([
    [["create", "cluster", "a"], /--provider/],
    [["create", "cloud", "a"], /it must be: cluster/],
    [["create", "cluster", "a", "--provider", "kind", "--label", "env"], /key=value/],
  ])("answers %j with 2", async (args, reason) => {
    const { code, err } = await runTestCli("http://127.0.0.1:1", args);
    expect(code).toBe(2);
    expect(err).toMatch(reason);
  });
});

describe("the Tab key", () => {
  const complete = async (...words: readonly string[]) => {
    const { url } = await startContractServer({
      "GET /api/v1/clusters": json({ items: [sampleCluster("demo"), sampleCluster("dev-1")], next: null }),
    });
    process.env.DROVER_SERVER = url;
    try {
      const { makeTestTerminal } = await import("../../../test/terminal.ts");
      const { runCli } = await import("../program.ts");
      const { terminal, seen } = makeTestTerminal();
      await runCli(["__complete", "--", ...words], "1", {} as never, terminal);
      return seen.out.trim().split("\n");
    } finally {
      delete process.env.DROVER_SERVER;
    }
  };

  it("knows commands, kinds, options, values and clusters", async () => {
    expect(await complete("de")).toEqual(["delete", "describe", "demo"]);
    expect(await complete("get", "cl")).toEqual(["clusters"]);
    expect(await complete("get", "clusters", "--wa")).toEqual(["--watch"]);
    expect(await complete("create", "cluster", "a", "--provider", "k")).toEqual(["kind", "k3d"]);
    expect(await complete("describe", "de")).toEqual(["demo", "dev-1"]);
    expect(await complete("token", "")).toEqual(["list", "create", "revoke"]);
  });
});

it("has a file for every command, and every file is a command", async () => {
  const { readdirSync } = await import("node:fs");
  const files = readdirSync(new URL(".", import.meta.url))
    .filter((file) => !/\.test\.ts$|^index\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, ""));
  expect(COMMANDS.map(({ name }) => name.replace(/^_+/, "")).toSorted()).toEqual(files.toSorted());
});
