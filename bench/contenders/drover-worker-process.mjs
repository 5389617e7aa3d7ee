// `drover worker` of the build that is measured.
import { loadDrover } from "../lib/store.mjs";

const [dataDir, leaseSeconds, dist] = process.argv.slice(2);
const { load } = await loadDrover(dist);
const { runMain } = await load("main/cli.js");
await runMain(["worker", "--data-dir", dataDir, "--lease", `${leaseSeconds}s`, "--log-level", "warn"]);
