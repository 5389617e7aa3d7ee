import { expect, it } from "vitest";
import { kindSpec } from "../../../test/fake-kind/world.ts";
import { configFileOf, type Settled } from "./config-file.ts";

const settled: Settled = {
  image: "example/kind-node:v1.34.4",
  apiPort: 20_000,
  ports: [],
  mark: { hostPath: "/data/kind/c1/j1", containerPath: "/etc/drover/cluster/c1" },
};

const read = (spec: ReturnType<typeof kindSpec>, more: Partial<Settled> = {}) =>
  JSON.parse(configFileOf("dev", spec, { ...settled, ...more }));

it("lists every node with its image and the mark, by which it is known from the start", () => {
  const { nodes, name, apiVersion } = read(kindSpec({ controlPlanes: 3, workers: 2 }));
  expect([name, apiVersion]).toEqual(["dev", "kind.x-k8s.io/v1alpha4"]);
  expect(nodes.map(({ role }: { role: string }) => role)).toEqual([
    ...["control-plane", "control-plane", "control-plane"],
    ...["worker", "worker"],
  ]);
  for (const node of nodes) {
    expect(node.image).toBe(settled.image);
    expect(node.extraMounts).toEqual([{ ...settled.mark, readOnly: true }]);
  }
});

it("publishes ports on the first node of the role that they lead to", () => {
  const port = { protocol: "TCP", listenAddress: "127.0.0.1" } as const;
  const ports = [
    { ...port, containerPort: 80, hostPort: 8080 },
    { ...port, containerPort: 81, hostPort: 8081, node: "worker" as const },
  ];
  const { nodes } = read(kindSpec({ controlPlanes: 3, workers: 2 }), { ports });
  const published = nodes.map((node: { extraPortMappings: { hostPort: number }[] }) =>
    node.extraPortMappings.map(({ hostPort }) => hostPort),
  );
  expect(published).toEqual([[8080], [], [], [8081], []]);
});

it("mounts folders into the nodes that they are for", () => {
  const mounts = [
    { hostPath: "/a", containerPath: "/all" },
    { hostPath: "/b", containerPath: "/workers", nodes: "worker", readOnly: true },
    { hostPath: "/c", containerPath: "/masters", nodes: "controlplane" },
  ];
  const { nodes } = read(kindSpec({ workers: 1, mounts }));
  const paths = nodes.map((node: { extraMounts: { containerPath: string }[] }) =>
    node.extraMounts.slice(1).map(({ containerPath }) => containerPath),
  );
  expect(paths).toEqual([
    ["/all", "/masters"],
    ["/all", "/workers"],
  ]);
});

it("passes networks, proxy mode and the address of the API on, and leaves a pod network to others that bring one", () => {
  const networking = {
    ...{ podSubnet: "10.10.0.0/16", serviceSubnet: "10.11.0.0/16", kubeProxyMode: "ipvs" },
    ...{ cni: { type: "none" }, apiServer: { address: "0.0.0.0" } },
  };
  expect(read(kindSpec({}, { networking })).networking).toEqual({
    ...{ podSubnet: "10.10.0.0/16", serviceSubnet: "10.11.0.0/16", kubeProxyMode: "ipvs" },
    ...{ ipFamily: "ipv4", disableDefaultCNI: true, apiServerAddress: "0.0.0.0", apiServerPort: 20_000 },
  });
  const six = { podSubnet: "fd00:10::/56", serviceSubnet: "fd00:20::/112" };
  expect(read(kindSpec({}, { networking: six })).networking).toMatchObject({
    ipFamily: "ipv6",
    disableDefaultCNI: false,
  });
});

it("tells kubeadm and the kubelets of another domain, before the patches of the user", () => {
  const { kubeadmConfigPatches } = read(
    kindSpec({ kubeadmPatches: ["kind: InitConfiguration\n"] }, { networking: { dnsDomain: "k8s.test" } }),
  );
  expect(kubeadmConfigPatches).toHaveLength(3);
  expect(kubeadmConfigPatches[0]).toBe('{"kind":"ClusterConfiguration","networking":{"dnsDomain":"k8s.test"}}');
  expect(kubeadmConfigPatches[2]).toBe("kind: InitConfiguration\n");
});

it("passes gates, APIs and patches on, has containerd look for mirrors, and keeps passwords out", () => {
  const registries = [{ host: "docker.io", endpoints: ["https://m.test"], credential: { name: "hub" } }];
  const kind = {
    ...{ featureGates: { InPlace: true }, runtimeConfig: { "api/alpha": "false" } },
    ...{ containerdPatches: ["[debug]\n"], registries },
  };
  const document = read(kindSpec(kind));
  expect(document).toMatchObject({ featureGates: { InPlace: true }, runtimeConfig: { "api/alpha": "false" } });
  expect(document.containerdConfigPatches[0]).toContain('config_path = "/etc/containerd/certs.d"');
  expect(document.containerdConfigPatches[1]).toBe("[debug]\n");
  expect(JSON.stringify(document)).not.toContain("hub");
});
