import type { ClusterSpec } from "@drover/contract";
import { type Fault, simulatedSpec } from "../simulated-bench.ts";
import type { SeededRandom } from "./seeded-random.ts";

const OPERATIONS = ["create", "update", "upgrade", "delete", "observe", "any"] as const;
const EFFECTS = {
  fail: 4,
  "done-yet-fails": 4,
  "nothing-yet-succeeds": 4,
  hang: 1,
  unreachable: 2,
  "node-lost": 1,
  drift: 1,
  reboot: 1,
} as const;
const VERSIONS = ["v1.33.1", "v1.34.0"] as const;

/** What users might declare, with what will go wrong in it; `brief` lives are over within the story. */
export function randomSpec(random: SeededRandom, before?: ClusterSpec, brief = false): ClusterSpec {
  const maximumMs = random.pick([0, 200, 3_000]);
  const faults = Array.from({ length: random.pick([0, 0, 1, 1, 2, 3]) }, () => randomFault(random));
  const settled = before?.simulated;
  const version = before?.kubernetes?.version ?? random.pick(VERSIONS);
  return simulatedSpec(
    {
      controlPlanes: random.chance(0.2) ? 3 : (settled?.controlPlanes ?? 1),
      workers: random.between(0, 3),
      seed: settled?.seed ?? random.between(0, 1_000),
      latency: { minimumMs: Math.floor(maximumMs / 4), maximumMs },
      ...(faults.length === 0 ? {} : { faults }),
    },
    {
      kubernetes: { version: random.chance(0.3) ? "v1.34.0" : version },
      ...(random.chance(0.3) ? { networking: { podSubnet: random.pick(["10.1.0.0/16", "10.2.0.0/16"]) } } : {}),
      maintenance: {
        ...(random.chance(0.1) ? { paused: true } : {}),
        ...(random.chance(0.05) ? { ttl: brief ? random.pick(["1m", "3m", "2h"]) : "2h" } : {}),
        ...(random.chance(0.05) ? { selfHeal: "report" } : {}),
      },
    },
  );
}

function randomFault(random: SeededRandom): Fault {
  return {
    operation: random.pick(OPERATIONS),
    effect: random.pickWeighted(EFFECTS),
    ...(random.chance(0.5) ? { percent: random.between(20, 100) } : {}),
    ...(random.chance(0.8) ? { times: random.between(1, 4) } : {}),
    ...(random.chance(0.4) ? { after: random.between(0, 4) } : {}),
  };
}
