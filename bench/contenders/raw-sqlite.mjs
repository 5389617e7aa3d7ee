import { join } from "node:path";
import { makeTemporaryFolder } from "../lib/clean-up.mjs";

/** The floor: one row per commit, every commit flushed, with the driver that the store uses and in the same place. */
export function rawSqlite({ drover, seconds = 1 }) {
  return {
    name: "raw commits",
    prepare: async () => {
      const database = drover.openRawDatabase(join(makeTemporaryFolder("sqlite"), "raw.db"));
      database.exec("pragma journal_mode = wal");
      database.exec("pragma synchronous = full");
      database.exec("create table journal (id integer primary key, step text not null, state text not null)");
      return {
        measure: async () => {
          const begin = performance.now();
          const end = begin + seconds * 1_000;
          let commits = 0;
          for (; performance.now() < end; commits++) {
            database.run("insert into journal (step, state) values (?, ?)", [`step-${commits}`, "Succeeded"]);
          }
          return { "commits/s": commits / ((performance.now() - begin) / 1_000) };
        },
        dispose: async () => database.close(),
      };
    },
  };
}
