import { type Handlers, runCli } from "../cli/program.ts";
import { runDemo } from "./demo.ts";
import { quietSqliteWarning } from "./quiet-warnings.ts";
import { runBackup, runCheck, runRestore, runRotateKey } from "./store-commands.ts";
import { runUp } from "./up.ts";
import { readVersion } from "./version.ts";
import { runReconcileOnce, runWorker } from "./worker.ts";

/** The program `drover`, from its arguments to its exit code. */
export async function runMain(args: readonly string[]): Promise<void> {
  quietSqliteWarning();
  const out = (text: string) => void process.stdout.write(text);
  const err = (text: string) => void process.stderr.write(text);
  const version = readVersion();
  const handlers: Handlers = {
    up: (options) => runUp(options, version, out),
    worker: (options) => runWorker(options, version, out),
    reconcileOnce: (options) => runReconcileOnce(options, version, out),
    demo: (options, asked) => runDemo(options, asked, version, out),
    backUp: (options, file) => runBackup(options, file, out),
    restore: (options, file) => runRestore(options, file, out),
    check: (options) => runCheck(options, out),
    rotateKey: (options, file) => runRotateKey(options, file, out),
  };
  process.exitCode = await runCli(args, version, handlers, { out, err });
}
