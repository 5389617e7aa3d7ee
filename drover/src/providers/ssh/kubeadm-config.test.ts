import type { ClusterSpec } from "@drover/contract";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { FakeMachineWorld, OLDER } from "../../../test/fake-machines/world.ts";
import { nodeNamed } from "./declared.ts";
import { initConfig, joinConfig } from "./kubeadm-config.ts";

const world = await FakeMachineWorld.open();
const specOf = (ssh: object = {}): ClusterSpec => world.cluster("dev", { ssh }).spec;
const read = (text: string) => Object.fromEntries(parseAllDocuments(text).map((one) => [one.toJS().kind, one.toJS()]));
const init = (spec: ClusterSpec) => read(initConfig({ name: "dev", spec }, nodeNamed(spec, "dev-0"), OLDER));

it("says everything that kubeadm would otherwise ask the internet or guess", () => {
  const { ClusterConfiguration, InitConfiguration, KubeletConfiguration } = init(specOf());
  const address = nodeNamed(specOf(), "dev-0").address;
  expect(ClusterConfiguration).toMatchObject({ kubernetesVersion: OLDER, controlPlaneEndpoint: `${address}:6443` });
  expect(ClusterConfiguration.apiServer.certSANs).toEqual(expect.arrayContaining([address, "dev-0", "127.0.0.1"]));
  expect(InitConfiguration.nodeRegistration).toMatchObject({ name: "dev-0", taints: [{ effect: "NoSchedule" }] });
  expect(KubeletConfiguration.cgroupDriver).toBe("systemd");
});

it("merges patches into the documents of their kind, deeply, and adds others", () => {
  const kubeadmPatches = [
    "kind: KubeletConfiguration\nevictionHard: { nodefs.available: '0%' }\n---\nkind: ClusterConfiguration\nnetworking: { dnsDomain: corp.example }\n",
    "apiVersion: example/v1\nkind: Other\n",
  ];
  const documents = init(specOf({ kubeadmPatches }));
  expect(documents.KubeletConfiguration).toMatchObject({
    cgroupDriver: "systemd",
    evictionHard: { "nodefs.available": "0%" },
  });
  expect(documents.ClusterConfiguration.networking).toMatchObject({
    dnsDomain: "corp.example",
    podSubnet: expect.any(String),
  });
  expect(documents.Other).toBeDefined();
});

it("mounts what the API server is given, and lets arguments of the spec win", () => {
  const apiServer = { auditPolicy: "kind: Policy", extraArgs: [{ name: "audit-log-path", value: "/var/log/audit" }] };
  const { extraArgs, extraVolumes } = init(specOf({ apiServer })).ClusterConfiguration.apiServer;
  expect(extraArgs).toEqual([
    { name: "audit-policy-file", value: "/etc/kubernetes/drover/audit-policy.yaml" },
    { name: "audit-log-path", value: "/var/log/audit" },
  ]);
  expect(extraVolumes).toHaveLength(1);
});

it("tells the API server of keys where there are some, whatever the spec says", () => {
  const of = (isEncrypted: boolean) => {
    const spec = specOf({ apiServer: { encryptSecrets: !isEncrypted } });
    return read(initConfig({ name: "dev", spec }, nodeNamed(spec, "dev-0"), OLDER, isEncrypted)).ClusterConfiguration;
  };
  const file = { name: "encryption-provider-config", value: "/etc/kubernetes/drover/encryption.yaml" };
  expect(of(true).apiServer).toMatchObject({ extraArgs: [file], extraVolumes: [{ readOnly: true }] });
  expect(of(false).apiServer.extraArgs).toBeUndefined();
});

it("joins by token and hash, as a control plane only where one is declared", () => {
  const ticket = { token: "abcdef.0123456789abcdef", caHash: "sha256:00", certificateKey: null };
  const spec = specOf();
  const join = (name: string) => read(joinConfig(spec, nodeNamed(spec, name), ticket)).JoinConfiguration;
  expect(join("dev-1").controlPlane).toBeUndefined();
  expect(join("dev-1").discovery.bootstrapToken).toMatchObject({ token: ticket.token, caCertHashes: ["sha256:00"] });
  expect(join("dev-0").controlPlane.localAPIEndpoint.advertiseAddress).toBe(nodeNamed(spec, "dev-0").address);
});
