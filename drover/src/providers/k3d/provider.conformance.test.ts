import { askDocker } from "../../../test/fake-docker/fake-engine-world.ts";
import { k3dCluster, k3dSpec, startFakeK3d } from "../../../test/fake-k3d/world.ts";
import { describeProvider } from "../../ports/provider.conformance.ts";

const VARIANTS = {
  more: k3dSpec({ agents: 3 }),
  newer: k3dSpec({ agents: 1 }, { kubernetes: { version: "v1.34.4" } }),
};

/** Volumes without a name of their own are told apart by nothing but their number. */
function countAnonymous(inventory: readonly string[]): readonly string[] {
  const isAnonymous = (line: string) => /[0-9a-f]{64}/.test(line);
  const named = inventory.filter((line) => !isAnonymous(line));
  return [...named, ...inventory.filter(isAnonymous).map((_, index) => `anonymous volume ${index}`)];
}

describeProvider({
  name: "the k3d provider with a fake k3d",
  create: async () => {
    const { provider, daemon, connector, dispose } = await startFakeK3d();
    return {
      provider,
      dispose,
      refusesForeignName: true,
      connect: async () => connector,
      cluster: (name, variant) => k3dCluster(name, variant === undefined ? k3dSpec({ agents: 1 }) : VARIANTS[variant]),
      inventory: async () => countAnonymous(daemon.inventory()),
      plantForeign: async (name) => {
        const labels = { app: "k3d", "k3d.cluster": name, "k3d.role": "server" };
        await askDocker(daemon.socket, "POST", "/networks/create", { Name: `k3d-${name}`, Labels: { app: "k3d" } });
        await askDocker(daemon.socket, "POST", `/containers/create?name=k3d-${name}-server-0`, {
          Image: "example/k3s:v1.34.4-k3s1",
          Labels: labels,
          HostConfig: { NetworkMode: `k3d-${name}` },
        });
      },
      blind: () => daemon.stop(),
    };
  },
});
