import { join } from "node:path";
import { makeTemporaryFolder } from "../lib/clean-up.mjs";
import { declareFleet, WORKER } from "../lib/fleet.mjs";
import { makeWorkFolder } from "../lib/ssh-hosts.mjs";
import { makePlan, runWholePlan } from "../lib/steps.mjs";
import { requireDone } from "./drover-ssh.mjs";

const STEP = "make-file";

/**
 * A plan that was carried out is carried out again, by the engine and with a journal on SQLite: every step finds its work
 * done. The time counts from nothing, with every connection still to be made.
 */
export function droverSecondRun({ drover, hosts, steps }) {
  return {
    name: "drover",
    prepare: async () => {
      const folder = makeWorkFolder(hosts);
      const store = await drover.openStore({ url: join(makeTemporaryFolder("sqlite"), "drover.db") });
      await declareFleet(store, { count: 2 });
      const [first, second] = await store.jobs.claimJobs(WORKER, { limit: 2, leaseMs: 600_000 });
      const plan = makeHostsPlan(hosts, steps);
      const before = await openExecution(drover, { store, hosts, folder });
      await runWholePlan({ store, executePlan: before.executePlan, claimed: first, plan, hash: "first" });
      before.pool.close();
      requireDone(folder, hosts, steps);
      const again = await openExecution(drover, { store, hosts, folder });
      return {
        measure: async () => {
          const begin = performance.now();
          await runWholePlan({ store, executePlan: again.executePlan, claimed: second, plan, hash: "second" });
          const seconds = (performance.now() - begin) / 1_000;
          if (again.worked.count > 0) throw new Error(`${again.worked.count} steps were done twice.`);
          const done = (await store.read.listSteps(second.job.id)).filter(({ state }) => state === "Skipped");
          if (done.length !== hosts.ports.length * steps) throw new Error(`${done.length} steps are in the journal.`);
          return { seconds };
        },
        dispose: async () => {
          again.pool.close();
          await store.close();
        },
      };
    },
  };
}

/** Steps of one host come one after the other, hosts all at once. */
function makeHostsPlan({ ports }, steps) {
  const drafts = ports.flatMap((port) =>
    Array.from({ length: steps }, (_, at) => ({
      ...{ id: `${port}-${at}`, name: STEP, input: { port, at } },
      needs: at === 0 ? [] : [`${port}-${at - 1}`],
    })),
  );
  const plan = makePlan(drafts);
  return { ...plan, steps: plan.steps.map((step) => ({ ...step, host: String(step.input.port) })) };
}

async function openExecution(drover, { store, hosts, folder }) {
  const [{ SshPool }, { parseHostKey }, execution, { systemClock }, { systemTimer }] = await Promise.all([
    drover.load("connectors/ssh/ssh-pool.js"),
    drover.load("connectors/ssh/host-key.js"),
    drover.load("reconciler/execute-plan.js"),
    drover.load("ports/clock.js"),
    drover.load("ports/timer.js"),
  ]);
  const pool = new SshPool();
  const worked = { count: 0 };
  const shared = { user: hosts.user, credentials: { privateKeys: [{ key: hosts.key }] } };
  const hostKeys = [parseHostKey(hosts.hostKey)];
  const ask = async (context, argv) => {
    const [said] = await (await context.connect(context.step.host)).runAll([{ argv }], { signal: context.signal });
    return said.exitCode === 0;
  };
  const pathOf = ({ step: { input } }) => join(folder, String(input.port), String(input.at));
  const step = {
    name: STEP,
    precheck: (context) => ask(context, ["test", "-e", pathOf(context)]),
    run: async (context) => {
      worked.count += 1;
      await ask(context, ["touch", pathOf(context)]);
    },
  };
  const executePlan = execution.makeExecutePlan({
    ...{ store, clock: systemClock, timer: systemTimer, random: Math.random },
    steps: new Map([[STEP, step]]),
    connect: async (host) => pool.connect({ host: "127.0.0.1", port: Number(host), ...shared, hostKeys }),
  });
  return { pool, worked, executePlan };
}
