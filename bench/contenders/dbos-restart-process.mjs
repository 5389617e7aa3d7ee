// A workflow of one step that tells when it runs. The first process that runs it stays in it; the next one recovers it.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";

const [mode, file] = process.argv.slice(2);
const LONG_MS = 600_000;

const workflow = DBOS.registerWorkflow(
  async () => {
    await DBOS.runStep(
      async () => {
        appendFileSync(file, `${JSON.stringify({ at: Date.now() })}\n`);
        if (mode === "begin") await sleep(LONG_MS);
      },
      { name: "step" },
    );
  },
  { name: "bench" },
);

const silent = { info: () => {}, debug: () => {}, warn: () => {}, error: console.error };
DBOS.setConfig({
  name: "bench",
  systemDatabaseUrl: process.env.DBOS_URL,
  logger: silent,
  runAdminServer: false,
});
await DBOS.launch();
if (mode === "begin") await DBOS.startWorkflow(workflow)();
await sleep(LONG_MS);
