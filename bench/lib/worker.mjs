import { makeTemporaryFolder } from "./clean-up.mjs";

/** Says nothing: what the worker would log is not what is measured. Errors end the benchmark. */
const quietLog = {
  debug: () => {},
  warn: () => {},
  error: (details, message) => {
    throw new Error(`${message}: ${JSON.stringify(details.task)}`, { cause: details.err });
  },
};

/**
 * A worker put together as `drover worker` puts it together, with the options of the program at their defaults unless
 * `flags` says otherwise. `dataDir` is where the simulated world lies. `close` ends what the worker keeps open.
 *
 * @returns {Promise<import("../../drover/src/main/make-worker.ts").MadeWorker>}
 */
export async function makeWorker(drover, { store, dataDir = makeTemporaryFolder("data"), flags = {} }) {
  const [main, config] = await Promise.all([drover.load("main/make-worker.js"), drover.load("config/load-options.js")]);
  const options = config.loadOptions({ flags: { dataDir, ...flags }, env: {} });
  return main.makeWorker(options, store, quietLog, "bench");
}

/** Time as the machine tells it, plus a jump that the benchmark makes: nobody wants to wait for a resync interval. */
export class JumpingClock {
  #ahead = 0;

  now() {
    return Date.now() + this.#ahead;
  }

  monotonic() {
    return performance.now() + this.#ahead;
  }

  jump(ms) {
    this.#ahead += ms;
  }
}
