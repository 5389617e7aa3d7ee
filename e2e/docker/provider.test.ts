import { afterAll, expect } from "vitest";
import { describeProvider } from "../../drover/src/ports/provider.conformance.ts";
import { WITH_EVERYTHING } from "../support/form.ts";
import { sweepUp } from "./support/docker-place.ts";
import { K3D, KIND, makeRealWorld } from "./support/provider-worlds.ts";

/** Those that make no cluster: how one is made and removed is told by its life. */
const QUICK = /^(P2: says unknown when|P5|P6|P9|P13|P14)/;
for (const tool of [K3D, KIND]) {
  describeProvider({
    name: `the ${tool.id} provider with the real ${tool.id}`,
    ...(WITH_EVERYTHING ? {} : { rules: QUICK }),
    create: () => makeRealWorld(tool),
  });
}

afterAll(() => {
  expect(sweepUp()).toEqual([]);
});
