import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeTemporaryFolder } from "../lib/clean-up.mjs";
import { clusterName } from "../lib/fleet.mjs";

const SCRIPT = fileURLToPath(new URL("resync-loop.sh", import.meta.url));

const TABLE = `
create table clusters (
  id integer primary key autoincrement, name text unique not null, provider text not null,
  desired_state text default 'present', actual_state text default 'unknown',
  node_port integer, pf_port integer, http_port integer, https_port integer, server_ip text,
  last_reconciled_at timestamp, reconcile_error text,
  created_at timestamp default current_timestamp, updated_at timestamp default current_timestamp
);`;

/** Throws where the peer cannot run: without it there is nothing to compare with. */
export function describeSqliteShell() {
  try {
    return `sqlite3 ${execFileSync("sqlite3", ["--version"], { encoding: "utf8" }).split(" ")[0]}`;
  } catch (error) {
    throw new Error("The peer of this benchmark is a shell loop around sqlite3, which is not installed here.", {
      cause: error,
    });
  }
}

/** The same pass as a shell loop around sqlite3, over fewer clusters: what one of them costs does not depend on that. */
export function bashResync({ clusters }) {
  return {
    name: "bash + sqlite3",
    prepare: async () => {
      const folder = makeTemporaryFolder("loop");
      const database = join(folder, "clusters.db");
      const world = join(folder, "world");
      mkdirSync(world);
      const names = Array.from({ length: clusters }, (_, number) => clusterName(number));
      for (const name of names) writeFileSync(join(world, name), "");
      const rows = names.map((name) => `('${name}', 'kind', 'present', 'running')`).join(",");
      const fill = `${TABLE} insert into clusters (name, provider, desired_state, actual_state) values ${rows};`;
      execFileSync("sqlite3", [database], { input: fill });
      return {
        measure: async () => {
          const begin = performance.now();
          const { stdout } = await promisify(execFile)("bash", [SCRIPT, database, world]);
          const seconds = (performance.now() - begin) / 1_000;
          if (Number(stdout) !== clusters) throw new Error(`The loop saw ${stdout} of ${clusters} clusters.`);
          return { "clusters/s": clusters / seconds };
        },
        dispose: async () => {},
      };
    },
  };
}
