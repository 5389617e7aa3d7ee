import { join } from "node:path";
import { makeTemporaryFolder } from "../lib/clean-up.mjs";
import { declareFleet, WORKER } from "../lib/fleet.mjs";
import { makePlan, runWholePlan } from "../lib/steps.mjs";

const STEP = "run-command";

/** Drover's engine with the graph as a plan: each step starts the command as a process and is journalled on SQLite. */
export function droverGraph({ drover, graph, command, slots }) {
  return {
    name: "drover",
    prepare: async () => {
      const store = await drover.openStore({ url: join(makeTemporaryFolder("sqlite"), "drover.db") });
      await declareFleet(store, { count: 1 });
      const [claimed] = await store.jobs.claimJobs(WORKER, { limit: 1, leaseMs: 600_000 });
      const connector = await openConnector(drover);
      const executePlan = await makeExecutePlan(drover, { store, connector, command, slots });
      const plan = makePlan(graph.map(({ id, needs }) => ({ id, needs, name: STEP })));
      return {
        measure: async () => {
          const before = process.cpuUsage();
          const begin = performance.now();
          await runWholePlan({ store, executePlan, claimed, plan, hash: "graph" });
          const seconds = (performance.now() - begin) / 1_000;
          const { user, system } = process.cpuUsage(before);
          const done = (await store.read.listSteps(claimed.job.id)).filter(({ state }) => state === "Succeeded");
          if (done.length !== graph.length) throw new Error(`${done.length} of ${graph.length} steps are journalled.`);
          return { seconds, "cpu-ms/step": (user + system) / 1_000 / graph.length };
        },
        dispose: async () => {
          await connector.close();
          await store.close();
        },
      };
    },
  };
}

async function openConnector(drover) {
  const { LocalConnector } = await drover.load("connectors/local/local-connector.js");
  return new LocalConnector({
    environment: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    // As drover worker has them.
    helpers: { size: 2 },
  });
}

async function makeExecutePlan(drover, { store, connector, command, slots }) {
  const [execution, { systemClock }, { systemTimer }] = await Promise.all([
    drover.load("reconciler/execute-plan.js"),
    drover.load("ports/clock.js"),
    drover.load("ports/timer.js"),
  ]);
  const step = {
    name: STEP,
    precheck: async () => false,
    run: async (context) => {
      const { exitCode } = await (await context.connect("local")).run({ argv: command }, { signal: context.signal });
      if (exitCode !== 0) throw new Error(`The command ended with ${exitCode}.`);
    },
    verify: async () => true,
  };
  return execution.makeExecutePlan({
    ...{ store, clock: systemClock, timer: systemTimer, random: Math.random },
    steps: new Map([[STEP, step]]),
    connect: async () => connector,
    limits: { global: slots, perHost: slots, perProvider: slots },
  });
}
