import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { addressOf } from "../../../../test/fake-machines/fake-kubeadm.ts";
import { FakeMachineWorld, OLDER } from "../../../../test/fake-machines/world.ts";
import { nodeNamed } from "../declared.ts";
import { initConfig, memberConfig, shareConfig } from "../kubeadm-config.ts";
import { withEndpoints } from "../steps/point-ssh-api-server.ts";
import { databaseUnit } from "./database.ts";

const world = await FakeMachineWorld.open();

/** A control plane, and a worker with the database. */
function specWith(etcd: object = {}) {
  const nodes = [
    { name: "dev-0", address: addressOf("dev-0"), roles: ["controlplane"] },
    { name: "e-1", address: addressOf("e-1"), roles: ["worker", "etcd"] },
  ];
  return world.cluster("dev", { ssh: { nodes, etcd: { topology: "separate", ...etcd } } }).spec;
}

describe("what is written for a database apart from the API servers", () => {
  it("says to kubeadm where the database is, for the first control plane and for those that follow", () => {
    const spec = specWith();
    for (const text of [initConfig({ name: "dev", spec }, nodeNamed(spec, "dev-0"), OLDER), shareConfig(spec, "k")]) {
      expect(text).toContain(
        `external:\n    endpoints:\n      - https://${addressOf("e-1")}:2379\n    caFile: /etc/drover/etcd/access/ca.crt`,
      );
      expect(text).not.toContain("local:");
    }
  });

  it("keeps to the lifetimes of certificates", () => {
    const base = specWith();
    const spec = { ...base, ssh: { ...base.ssh, certificates: { validityDays: 30 } } } as typeof base;
    expect(memberConfig(spec, nodeNamed(spec, "e-1"), "/x", OLDER)).toContain("certificateValidityPeriod: 720h0m0s");
  });

  it("lets nothing of the spec mean something else to systemd", () => {
    const extraArgs = [{ name: "log-level", value: 'a "b" $HOME 100% \\' }];
    const spec = specWith({ extraArgs });
    expect(databaseUnit(spec, nodeNamed(spec, "e-1"))).toContain(String.raw`"--log-level=a \"b\" $$HOME 100%% \\"`);
  });

  it("changes the members in kubeadm's note and nothing else", () => {
    const text = "a: 1\netcd:\n  external:\n    caFile: /x\n    endpoints: [https://one:2379]\n";
    expect(withEndpoints(text, ["https://one:2379"])).toBeNull();
    const changed = withEndpoints(text, ["https://one:2379", "https://two:2379"]);
    expect(parse(changed ?? "")).toEqual({
      ...{ a: 1, etcd: { external: { caFile: "/x", endpoints: ["https://one:2379", "https://two:2379"] } } },
    });
  });
});
