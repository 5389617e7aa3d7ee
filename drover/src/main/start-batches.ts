import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { App } from "../app/app.ts";
import { BatchDriver } from "../app/batches/batch-driver.ts";
import { systemTimer } from "../ports/timer.ts";

/** Every server drives batches when no other one does. */
export function startBatches(app: App, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const driver = new BatchDriver({
    app,
    timer: systemTimer,
    holder: `${process.pid}-${randomBytes(6).toString("hex")}`,
    onError: (task, error) => log.error({ task, err: error }, "Something went wrong while driving batches"),
  });
  const ended = driver.run(stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
