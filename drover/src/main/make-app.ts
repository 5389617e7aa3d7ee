import { join } from "node:path";
import type { App } from "../app/app.ts";
import { DocumentReader } from "../app/document-reader.ts";
import type { Options } from "../config/options.ts";
import { previewPlan } from "../engine/preview.ts";
import { systemClock } from "../ports/clock.ts";
import type { Store } from "../ports/store/index.ts";
import { systemTimer } from "../ports/timer.ts";
import { makeProviders } from "../providers/index.ts";
import { FileWorld } from "../providers/simulated/file-world.ts";
import { registerSteps } from "../steps/index.ts";

/** Wires the use cases that the HTTP API offers. They know the providers, but can run nothing. */
export function makeApp(options: Options, store: Store): App {
  const [clock, timer] = [systemClock, systemTimer];
  const world = new FileWorld(join(options.dataDir, "simulated.jsonl"), clock);
  const providers = makeProviders({ clock, timer, simulated: { world } });
  const steps = registerSteps({ providers, clock, timer });
  const reader = new DocumentReader();
  // Whoever sends the first long text would wait for the thread, and everybody else with them. If it fails, so will that text.
  void reader.warmUp().catch(() => {});
  return {
    ...{ store, providers, timer },
    readDocuments: (text) => reader.read(text),
    describeChanges: async (plan, cluster) => (await previewPlan({ plan, steps, cluster, kind: "update", timer })).plan,
  };
}
