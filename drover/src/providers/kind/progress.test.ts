import { expect, it } from "vitest";
import { percentOf, show } from "./progress.ts";

const SAID = [
  'Creating cluster "dev" ...',
  " • Ensuring node image (kindest/node:v1.34.4) 🖼  ...",
  " ✓ Ensuring node image (kindest/node:v1.34.4) 🖼",
  " • Preparing nodes 📦 📦   ...",
  " ✓ Preparing nodes 📦 📦 ",
  " ✓ Writing configuration 📜",
  " ✓ Starting control-plane 🕹️",
  " ✓ Installing CNI 🔌",
  " ✓ Installing StorageClass 💾",
  " ✓ Joining worker nodes 🚜",
];

it("grows with every part that is done, and only then", () => {
  const percents = SAID.map(percentOf);
  expect(percents.filter((percent) => percent === null)).toHaveLength(3);
  const told = percents.filter((percent) => percent !== null);
  expect(told).toEqual([...told].sort((left, right) => left - right));
  expect(Math.max(...told)).toBeLessThan(100);
});

it("says nothing for a part that failed, or that it does not know", () => {
  expect(percentOf(" ✗ Starting control-plane 🕹️")).toBeNull();
  expect(percentOf(" ✓ Something new")).toBeNull();
});

it("shows everything but the farewell, which names a kubeconfig that is gone", () => {
  const farewell = [
    'Set kubectl context to "kind-dev"',
    "You can now use your cluster with:",
    "",
    "kubectl cluster-info --context kind-dev --kubeconfig /data/kind/1/scratch/kubeconfig",
    "Not sure what to do next? 😅  Check out https://kind.sigs.k8s.io/docs/user/quick-start/",
  ];
  expect(farewell.map(show).filter((line) => line !== null)).toEqual([]);
  expect(SAID.map(show)).toEqual(SAID.map((line) => line.trimEnd()));
});
