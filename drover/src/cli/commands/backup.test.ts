import { describe, expect, it } from "vitest";
import { runTestCli } from "../../../test/cli.ts";
import { json, startContractServer } from "../../../test/contract-server.ts";

const backup = (id: string) => ({
  ...{ id, createdTime: "2026-01-01T00:00:00.000Z", kubernetesVersion: "v1.34.4", location: "h1:/b/1" },
  ...{ bytes: 3 * 2 ** 20, sha256: "ab", revision: 7, keys: 382, objects: { namespaces: 4 }, drill: null },
});
const accepted = json({ cluster: "prod", generation: 1, jobId: "j" }, 202);

const certificate = (name: string, endTime: string) => ({
  ...{ node: "cp-1", name, path: `/etc/kubernetes/pki/${name}.crt`, authority: name === "ca", serial: "1F", endTime },
});

const start = (items: readonly object[] = [backup("b2"), backup("b1")]) =>
  startContractServer({
    "POST /api/v1/clusters/prod/backup": accepted,
    "POST /api/v1/clusters/prod/renew": accepted,
    "POST /api/v1/clusters/prod/rotate-encryption-key": accepted,
    "POST /api/v1/clusters/prod/rotate-tokens": accepted,
    "GET /api/v1/clusters/prod/backups": json({ items }),
    "GET /api/v1/clusters/prod/backups/b1": json(backup("b1")),
    "POST /api/v1/clusters/prod/backups/b1/restore": accepted,
    "POST /api/v1/clusters/prod/backups/b2/drill": accepted,
    "GET /api/v1/clusters/prod/certificates": json({
      items: [certificate("apiserver", "2020-01-01T00:00:00.000Z"), certificate("ca", "2036-01-01T00:00:00.000Z")],
      seenTime: "2026-01-01T00:00:00.000Z",
    }),
  });
const posts = (asked: readonly { method: string; url: string }[]) =>
  asked.flatMap(({ method, url }) => (method === "POST" ? [url] : []));

describe("drover backup", () => {
  it("takes one of a cluster, lists them, and proves the newest", async () => {
    const { url, asked } = await start();
    expect(await runTestCli(url, ["backup", "cluster", "prod"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/prod is being backed up/),
    });
    const { out } = await runTestCli(url, ["backup", "list", "prod"]);
    expect(out).toMatch(/b2 +\S+ +v1\.34\.4 +3\.0Mi +382 +never/);
    expect((await runTestCli(url, ["backup", "drill", "prod"])).code).toBe(0);
    expect(posts(asked)).toEqual(["/api/v1/clusters/prod/backup", "/api/v1/clusters/prod/backups/b2/drill"]);
  });

  it("reads options behind its words as theirs", async () => {
    const { url, asked } = await start();
    const { code } = await runTestCli(url, ["backup", "cluster", "prod", "--reason", "why"]);
    expect([code, posts(asked)]).toEqual([0, ["/api/v1/clusters/prod/backup"]]);
    const elsewhere = await runTestCli("http://127.0.0.1:1", ["certs", "renew", "prod"]);
    expect(elsewhere.code).not.toBe(0);
    expect(elsewhere.err).toContain("127.0.0.1:1");
  });

  it("says how to get one where there is none to prove", async () => {
    const { url } = await start([]);
    const { code, err } = await runTestCli(url, ["backup", "drill", "prod"]);
    expect([code, err]).toEqual([2, expect.stringContaining("drover backup cluster prod")]);
  });
});

describe("drover restore with a backup of a cluster", () => {
  const restore = ["restore", "prod", "--backup", "b1"];

  it("asks for the name, and says what is lost", async () => {
    const { url, asked } = await start();
    const { code, asked: questions } = await runTestCli(url, restore, { answers: ["prod"] });
    expect([code, posts(asked)]).toEqual([0, ["/api/v1/clusters/prod/backups/b1/restore"]]);
    expect(questions).toEqual([expect.stringMatching(/since 2026-01-01T00:00:00\.000Z is lost[\s\S]*Type prod/)]);
  });

  it.each([
    ["another name was typed", ["yes"], /"yes" is not prod/],
    ["nobody is there to ask", null, /add --yes/],
  ])("restores nothing when %s", async (_, answers, reason) => {
    const { url, asked } = await start();
    const { code, err } = await runTestCli(url, restore, { answers });
    expect([code, posts(asked)]).toEqual([2, []]);
    expect(err).toMatch(reason);
  });
});

describe("drover certs", () => {
  it("lists certificates with the days that are left, and has them renewed", async () => {
    const { url, asked } = await start();
    const { out } = await runTestCli(url, ["certs", "prod"]);
    expect(out).toMatch(/cp-1 +apiserver +certificate +2020-01-01 +-\d+/);
    expect(out).toMatch(/cp-1 +ca +authority +2036-01-01 +\d+/);
    expect((await runTestCli(url, ["certs", "renew", "prod"])).code).toBe(0);
    expect(posts(asked)).toEqual(["/api/v1/clusters/prod/renew"]);
  });
});

it("drover rotate asks for a new key, or for the end of old tokens", async () => {
  const { url, asked } = await start();
  for (const what of ["encryption-key", "tokens"]) {
    expect((await runTestCli(url, ["rotate", what, "prod", "--reason", "yearly"])).code).toBe(0);
  }
  expect(posts(asked)).toEqual(["/api/v1/clusters/prod/rotate-encryption-key", "/api/v1/clusters/prod/rotate-tokens"]);
});
