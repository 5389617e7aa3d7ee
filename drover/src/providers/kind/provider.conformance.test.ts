import { askDocker } from "../../../test/fake-docker/fake-engine-world.ts";
import { kindCluster, kindSpec, startFakeKind } from "../../../test/fake-kind/world.ts";
import { describeProvider } from "../../ports/provider.conformance.ts";

const VARIANTS = { more: kindSpec({ workers: 2 }), newer: kindSpec({}, { kubernetes: { version: "v1.35.2" } }) };

/** The network is kind's own, shared by all clusters, and stays; volumes without a name differ each time. */
function withoutShared(inventory: readonly string[]): readonly string[] {
  return inventory.filter((line) => line !== "network kind").map((line) => line.replace(/[0-9a-f]{64}/, "anonymous"));
}

describeProvider({
  name: "the kind provider with a fake kind",
  create: async () => {
    const { provider, daemon, connector, dispose } = await startFakeKind();
    return {
      provider,
      dispose,
      refusesForeignName: true,
      connect: async () => connector,
      cluster: (name, variant) =>
        kindCluster(name, variant === undefined ? kindSpec({ workers: 1 }) : VARIANTS[variant]),
      inventory: async () => {
        const lines = withoutShared(daemon.inventory());
        return lines.map((line, index) => (line === "volume anonymous" ? `${line} ${index}` : line));
      },
      plantForeign: async (name) => {
        await askDocker(daemon.socket, "POST", `/containers/create?name=${name}-control-plane`, {
          Image: "example/kind-node:v1.34.4",
          Labels: { "io.x-k8s.kind.cluster": name, "io.x-k8s.kind.role": "control-plane" },
        });
      },
      blind: () => daemon.stop(),
    };
  },
});
