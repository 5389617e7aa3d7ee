// B4, SQLite part: journalled steps per second, against the rate of raw commits of the same driver.
import { droverJournal } from "./contenders/drover-journal.mjs";
import { rawSqlite } from "./contenders/raw-sqlite.mjs";
import { runBenchmark } from "./lib/clean-up.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { loadDrover } from "./lib/store.mjs";

await runBenchmark(async () => {
  const { rounds, dags, steps, dist } = readOptions({
    small: { dags: 500, steps: 10 },
    full: { dags: 2_000, steps: 10 },
    smoke: { dags: 20, steps: 3 },
  });
  const drover = await loadDrover(dist);
  console.log(
    `${describeMachine()}; ${drover.findSqliteDriver()}, WAL, synchronous FULL; ${dags} jobs × ${steps} steps`,
  );
  const results = await runRounds({
    rounds,
    contenders: [droverJournal({ drover, dags, steps }), rawSqlite({ drover })],
  });
  console.log(results.render());
  const raw = results.median("raw commits", "commits/s");
  console.log(`ratio-transitions=${(results.median("drover", "transitions/s") / raw).toFixed(2)}`);
  tellRatio(results.median("drover", "steps/s") / raw, 2);
});
