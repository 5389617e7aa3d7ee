// node scripts/show-times.mjs FOLDER: where the time of a CI run went. Each file of the folder holds the times of one
// stage, as `time-table.mjs` passes them on.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { formatTimes } from "./lib/time-table.mjs";

const [folder = ""] = process.argv.slice(2);
const times = readdirSync(folder)
  .toSorted()
  .flatMap((stage) =>
    readFileSync(join(folder, stage), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => ({ ...JSON.parse(line), stage })),
  );
process.stdout.write(formatTimes(times, { mostFiles: 60 }));
