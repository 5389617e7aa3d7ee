import { runCli } from "../cli/program.ts";
import { runUp } from "./up.ts";
import { readVersion } from "./version.ts";

/** The program `drover`, from its arguments to its exit code. */
export async function runMain(args: readonly string[]): Promise<void> {
  const terminal = {
    out: (text: string) => void process.stdout.write(text),
    err: (text: string) => void process.stderr.write(text),
  };
  const version = readVersion();
  const handlers = { up: (options: Parameters<typeof runUp>[0]) => runUp(options, version, terminal.out) };
  process.exitCode = await runCli(args, version, handlers, terminal);
}
