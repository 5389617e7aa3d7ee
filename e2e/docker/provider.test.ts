import { afterAll, expect } from "vitest";
import { describeProvider } from "../../drover/src/ports/provider.conformance.ts";
import { sweepUp } from "./support/docker-place.ts";
import { K3D, KIND, makeRealWorld } from "./support/provider-worlds.ts";

/** Those that make no cluster, and the one that makes one and removes it. */
const QUICK = /^(P2: says unknown when|P5|P6|P7: creates|P9|P13|P14)/;
const all = process.env.DROVER_E2E_ALL === "1";

for (const tool of [K3D, KIND]) {
  describeProvider({
    name: `the ${tool.id} provider with the real ${tool.id}`,
    ...(all ? {} : { rules: QUICK }),
    create: () => makeRealWorld(tool),
  });
}

afterAll(() => {
  expect(sweepUp()).toEqual([]);
});
