import { describe, expect, it } from "vitest";
import { runTestCli } from "../../../test/cli.ts";
import { json, startContractServer } from "../../../test/contract-server.ts";
import { warning } from "../../domain/finding.ts";
import { checkNode, ownFolder } from "../doctor/check-machine.ts";

const user = {
  ...{ id: "u1", name: "ada", displayName: "Ada", role: "admin", scopes: [], disabled: false, external: false },
  createdTime: "2026-11-15T10:00:00Z",
};
const worker = {
  ...{ id: "w1", host: "h1", version: "1.2.3", providers: ["simulated"], state: "Idle", jobs: [] },
  lastSeenTime: "2026-11-15T10:00:00Z",
};

const WELL = {
  "GET /api/v1/version": json({ name: "drover", version: "0.0.0" }),
  "GET /readyz": json({ status: "ready" }),
  "GET /api/v1/me": json({ user, preferences: {} }),
  "GET /api/v1/workers": json({ items: [worker] }),
};

describe("drover doctor", () => {
  it("ends with 0 when nothing is wrong, and says what it saw", async () => {
    const { url } = await startContractServer(WELL);
    const { code, out } = await runTestCli(url, ["doctor", "-o", "json"]);
    expect(code).toBe(0);
    const { items: findings } = JSON.parse(out) as { items: { check: string; result: string }[] };
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(["Node.js", "Data folder", "Disk", "Memory", "Server", "Store", "Access", "Workers"]),
    );
    expect(findings.filter(({ result }) => result === "problem")).toEqual([]);
  });

  it("ends with 1 and the next move when nobody does the work", async () => {
    const { url } = await startContractServer({ ...WELL, "GET /api/v1/workers": json({ items: [] }) });
    const { code, out } = await runTestCli(url, ["doctor"]);
    expect(code).toBe(1);
    expect(out).toMatch(/✘ Workers +Nobody does the work: jobs wait\.\n +→ drover worker\n/);
  });

  it("tells what clusters on this machine lack, and ends well: not everybody needs it", async () => {
    const { url } = await startContractServer(WELL);
    const findings = [
      warning("kind", "is not there. It is needed for clusters of kind.", "curl -fsSLo kind https://x"),
    ];
    const { code, out } = await runTestCli(url, ["doctor"], { findings });
    expect(code).toBe(0);
    expect(out).toMatch(
      /! kind +is not there\. It is needed for clusters of kind\.\n +→ curl -fsSLo kind https:\/\/x\n/,
    );
  });

  it("says how to start a server that does not answer", async () => {
    const { code, out } = await runTestCli("http://127.0.0.1:9", ["doctor"]);
    expect(code).toBe(1);
    expect(out).toContain("→ drover up --detach");
  });

  it("hands over the data folder itself, never the one above it", () => {
    expect(ownFolder("/var/lib/drover", "/var/lib")).toBe('sudo install -d -m 700 -o "$USER" /var/lib/drover');
    expect(ownFolder("/srv/my data", "/srv/my data")).toBe(`sudo chown -R "$USER" '/srv/my data'`);
  });

  it("says at once that the store cannot be reached, rather than waiting for it", async () => {
    const away = { ...WELL, "GET /readyz": json({ code: "store-unreachable", title: "The store is away." }, 503) };
    const { url } = await startContractServer(away);
    const { code, out, err } = await runTestCli(url, ["doctor"]);
    expect([code, err]).toEqual([1, ""]);
    expect(out).toMatch(/✘ Store /);
  });

  it("knows which Node.js is too old", () => {
    expect(["18.20.0", "20.18.1", "20.19.0", "24.1.0"].map((version) => checkNode(version).result)).toEqual([
      ...["problem", "problem", "ok", "ok"],
    ]);
  });
});
