import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeTemporaryFolder } from "../lib/clean-up.mjs";
import { startNode, waitFor } from "../lib/processes.mjs";

const PROGRAM = fileURLToPath(new URL("dbos-restart-process.mjs", import.meta.url));

/** DBOS: a process in the middle of a step is killed and at once started anew, which is when it recovers workflows. */
export function dbosRestart({ server }) {
  return {
    name: "DBOS, restarted",
    prepare: async () => {
      const file = join(makeTemporaryFolder("dbos"), "steps.jsonl");
      const database = await server.createDatabase("dbos");
      const start = (mode) => startNode([PROGRAM, mode, file], { env: { DBOS_URL: server.urlOf(database) } });
      const read = () =>
        existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean).map(JSON.parse) : [];
      const doomed = start("begin");
      await waitFor(() => read().length === 1, { why: doomed.complaint });
      let next;
      return {
        measure: async () => {
          const begin = Date.now();
          await doomed.kill();
          next = start("recover");
          const again = await waitFor(() => read()[1], { why: next.complaint });
          return { "resumed-ms": again.at - begin };
        },
        dispose: async () => {
          await Promise.all([doomed.kill(), next?.kill()]);
          await server.dropDatabase(database);
        },
      };
    },
  };
}
