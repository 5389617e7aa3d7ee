// The program as it is, in one file: it starts in a fraction of the time.
import { runMain } from "../../../drover/src/main/cli.ts";

await runMain(process.argv.slice(2));
