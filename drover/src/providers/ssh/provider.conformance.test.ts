import { FakeMachineWorld, NEWER, OLDER } from "../../../test/fake-machines/world.ts";
import { describeProvider } from "../../ports/provider.conformance.ts";

const DISTRIBUTIONS = [
  { distribution: "kubeadm", older: OLDER, newer: NEWER },
  { distribution: "k3s", older: `${OLDER}+k3s1`, newer: `${NEWER}+k3s1` },
] as const;

for (const { distribution, older, newer } of DISTRIBUTIONS) {
  const variants = { more: { version: older, workers: 2 }, newer: { version: newer } };
  describeProvider({
    name: `the ssh provider with fake machines and ${distribution}`,
    create: async () => {
      const world = await FakeMachineWorld.open(distribution);
      return {
        provider: world.provider,
        useLedger: (ledger) => {
          world.ledger = ledger;
        },
        connect: async (host) => world.machine(host),
        cluster: (name, variant) => world.cluster(name, variant === undefined ? { version: older } : variants[variant]),
        inventory: async () => world.inventory(),
        plantForeign: async () => {
          world.machine("somebody-elses").files.set("/etc/kubernetes/kubelet.conf", "not ours");
        },
        blind: async () => {
          world.isBlind = true;
        },
        dispose: () => world.dispose(),
      };
    },
  });
}
