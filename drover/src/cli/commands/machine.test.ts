import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runTestCli } from "../../../test/cli.ts";
import { json, startContractServer } from "../../../test/contract-server.ts";

const machine = (name: string, more: object = {}) => ({
  ...{ name, address: "10.0.0.1", port: 22, user: "root", credential: { name: "ssh-key" }, sudo: { mode: "none" } },
  ...{ labels: { rack: "a", spare: "yes" }, version: 3, hostKey: null, bastionHostKey: null, offeredHostKey: null },
  ...{ state: "Pending", reason: null, message: "", lookedTime: null, facts: null, factsTime: null, usedBy: null },
  ...{ problems: [], enrolledTime: "2026-01-01T00:00:00Z", updatedBy: "ada", updatedTime: "2026-01-01T00:00:00Z" },
  ...more,
});

describe("drover machine enroll", () => {
  it("sends a range with what the flags say of all", async () => {
    const { url, asked } = await startContractServer({
      "POST /api/v1/machines": json({ items: [machine("web-1"), machine("web-2")] }, 201),
    });
    const flags = ["--credential", "ssh-key", "--sudo", "password:pw", "--bastion", "ops@jump", "--label", "rack=a"];
    const { code, out } = await runTestCli(url, [
      "machine",
      "enroll",
      "web-[1-2]",
      "--address",
      "10.0.0.[8-9]",
      ...flags,
    ]);
    expect([code, out]).toEqual([0, "machine/web-1 enrolled\nmachine/web-2 enrolled\n"]);
    const common = {
      ...{ credential: { name: "ssh-key" }, sudo: { mode: "password", credential: { name: "pw" } } },
      ...{ bastion: { user: "ops", address: "jump" }, labels: { rack: "a" } },
    };
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
      machines: [
        { ...common, name: "web-1", address: "10.0.0.8" },
        { ...common, name: "web-2", address: "10.0.0.9" },
      ],
    });
  });

  it("gives the bastions of a list what the flags say of them", async () => {
    const { url, asked } = await startContractServer({
      "POST /api/v1/machines": json({ items: [machine("web-1")] }, 201),
    });
    const list = join(await mkdtemp(join(tmpdir(), "drover-list-")), "machines.csv");
    onTestFinished(() => rm(dirname(list), { recursive: true }));
    await writeFile(list, "name,address,bastion\nweb-1,10.0.0.8,ops@jump:2222\n");
    const flags = ["--credential", "ssh-key", "--bastion-credential", "jump-key"];
    expect((await runTestCli(url, ["machine", "enroll", "-f", list, ...flags])).code).toBe(0);
    expect(JSON.parse(asked[0]?.body ?? "")).toMatchObject({
      machines: [{ bastion: { user: "ops", address: "jump", port: 2222, credential: { name: "jump-key" } } }],
    });
  });

  it("waits until each was looked at, and ends with 1 when one cannot be used", async () => {
    const seen = (state: string) => json(machine("web-1", { state, lookedTime: "2026-01-01T00:00:01Z" }));
    const ask = async (state: string) => {
      const { url } = await startContractServer({
        "POST /api/v1/machines": json({ items: [machine("web-1")] }, 201),
        "GET /api/v1/machines/web-1": seen(state),
      });
      const args = ["machine", "enroll", "web-1", "--address", "10.0.0.8", "--credential", "k", "--wait"];
      return await runTestCli(url, args);
    };
    const good = await ask("Reachable");
    expect([good.code, good.out]).toEqual([0, expect.stringContaining("Reachable")]);
    expect((await ask("Denied")).code).toBe(1);
  });

  it.each([
    [
      ["web-[1-3]", "--address", "10.0.0.1"],
      "3 named, 1 given with --address. Write it like `drover machine enroll web-1 --address 10.0.0.11`",
    ],
    [[], "Name a machine"],
    [["a", "b", "--address", "c", "--address", "d", "--host-key", "x"], "--host-key is for one machine"],
    [["a", "--address", "c", "--bastion-credential", "x"], "need a --bastion"],
  ])("refuses %j", async (args, why) => {
    const { url, asked } = await startContractServer({});
    const { code, err } = await runTestCli(url, ["machine", "enroll", ...args, "--credential", "k"]);
    expect([code, err]).toEqual([2, expect.stringContaining(why)]);
    expect(asked).toEqual([]);
  });
});

it("drover machine label sets and takes off, on what was read", async () => {
  const { url, asked } = await startContractServer({
    "GET /api/v1/machines/web-1": json(machine("web-1"), 200, { etag: '"3.x"' }),
    "PUT /api/v1/machines/web-1": json(machine("web-1")),
  });
  const { code } = await runTestCli(url, ["machine", "label", "web-1", "rack=b", "spare-"]);
  expect(code).toBe(0);
  expect(JSON.parse(asked[1]?.body ?? "")).toMatchObject({
    labels: { rack: "b" },
    address: "10.0.0.1",
    credential: { name: "ssh-key" },
  });
  expect(asked[1]?.headers["if-match"]).toBe('"3.x"');
});

it("drover machine check shows what mends each problem, and ends with 3", async () => {
  const problem = {
    machine: "web-1",
    path: "spec.ssh.nodes[0]",
    code: "machine-swap",
    message: "Swap is on.",
    next: "Switch it off.",
    command: "swapoff -a",
  };
  const check = async (severity: string) => {
    const items = [{ machine: "web-1", state: "Reachable", problems: [{ ...problem, severity }] }];
    const { url } = await startContractServer({ "POST /api/v1/machine-checks": json({ items }) });
    return await runTestCli(url, ["machine", "check", "web-1"]);
  };
  const { code, out } = await check("error");
  expect(code).toBe(3);
  expect(out).toBe(
    "✘ web-1 (spec.ssh.nodes[0]): Swap is on. [machine-swap]\n    Switch it off.\n    swapoff -a\n1 machines, 1 errors, 0 warnings.\n",
  );
  expect((await check("warning")).code).toBe(0);
});

it("drover machine facts says when nothing is known", async () => {
  const { url } = await startContractServer({ "GET /api/v1/machines/web-1": json(machine("web-1")) });
  const { code, out } = await runTestCli(url, ["machine", "facts", "web-1"]);
  expect([code, out]).toEqual([1, "web-1  Pending\nNothing is known of it yet.\n"]);
});
