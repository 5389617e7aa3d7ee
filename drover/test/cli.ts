import type { Handlers } from "../src/cli/handlers.ts";
import { runCli } from "../src/cli/program.ts";
import type { Finding } from "../src/domain/finding.ts";
import { makeTempFolder } from "./temp-folder.ts";
import { makeTestTerminal } from "./terminal.ts";

type TestCliOptions = NonNullable<Parameters<typeof makeTestTerminal>[0]> & {
  /** What is found on this machine beside what the command looks at by itself. */
  readonly findings?: readonly Finding[];
};

/** Starts a command line against a server; nothing of this machine's own configuration is read. */
export function startCli(url: string, args: readonly string[], options: TestCliOptions = {}) {
  const folder = makeTempFolder("cli");
  const { terminal, seen, interrupt } = makeTestTerminal(options);
  const handlers = { examine: async () => options.findings ?? [] } as unknown as Handlers;
  const running = runCli([...args, "--server", url, "--data-dir", folder], "1.2.3", handlers, terminal);
  return { running, seen, interrupt, folder };
}

/** Runs it to its end. */
export async function runTestCli(url: string, args: readonly string[], options?: TestCliOptions) {
  const { running, seen } = startCli(url, args, options);
  const code = await running;
  return { code, ...seen };
}
