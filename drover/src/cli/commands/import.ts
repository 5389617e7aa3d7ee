import { readFileSync } from "node:fs";
import { importRoutes } from "@drover/contract";
import { type Command, Option } from "commander";
import type { CallAnswer } from "../client/api-client.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addReason, collect, parsePairs, type ReasonFlags } from "../flags.ts";
import { type Session, talk, wordOf } from "../session.ts";
import { UsageError } from "../usage-error.ts";

interface Given extends ReasonFlags {
  readonly context?: readonly string[];
  readonly label?: readonly string[];
  readonly allow?: readonly string[];
  readonly dryRun?: boolean;
}

const ALLOWANCES = ["exec", "authProvider", "files", "proxy", "insecureTls"] as const;

export function define(command: Command, context: CommandContext): void {
  const kubeconfig = command
    .command("kubeconfig")
    .description("clusters that exist, by a kubeconfig; they arrive locked");
  kubeconfig
    .argument("<file>", "the kubeconfig; - is standard input")
    .requiredOption("--context <context=name>", "which context, and what to call the cluster; repeatable", collect)
    .option("--label <key=value>", "a label of all of them; repeatable", collect)
    .addOption(new Option("--allow <what...>", "dangerous parts of the kubeconfig to accept").choices(ALLOWANCES))
    .option("--dry-run", "only say what would happen");
  addExamples(addReason(kubeconfig), "drover import kubeconfig ./admin.conf --context admin@prod=prod-1 --dry-run");
  talk(kubeconfig, context, importKubeconfig);
  const environments = command.command("environments").description("the clusters of an environments.csv");
  environments
    .argument("<file>", "the CSV file; - is standard input")
    .option("--dry-run", "only say what each line would do");
  addExamples(addReason(environments), "drover import environments environments.csv --dry-run");
  talk(environments, context, importEnvironments);
}

async function importKubeconfig(session: Session, given: Given, args: Parameters<typeof wordOf>[0]): Promise<number> {
  const labels = parsePairs(given.label ?? []);
  const contexts = (given.context ?? []).map((pair) => {
    const at = pair.lastIndexOf("=");
    if (at < 1) throw new UsageError(`--context must be written as context=name, and is "${pair}".`);
    return { context: pair.slice(0, at), name: pair.slice(at + 1), ...(given.label === undefined ? {} : { labels }) };
  });
  const { reason, dryRun, allow } = given;
  const body = {
    ...(allow === undefined ? {} : { allow: Object.fromEntries(allow.map((what) => [what, true])) }),
    kubeconfig: await readFile(session, wordOf(args)),
    contexts,
    ...(reason === undefined ? {} : { reason }),
    ...(dryRun === undefined ? {} : { dryRun }),
  };
  return tell(session, await session.client.call(importRoutes.importKubeconfig, { body }), given);
}

async function importEnvironments(session: Session, given: Given, args: Parameters<typeof wordOf>[0]): Promise<number> {
  const { reason, dryRun } = given;
  const body = { csv: await readFile(session, wordOf(args)) };
  return tell(
    session,
    await session.client.call(importRoutes.importEnvironments, { query: { reason, dryRun }, body }),
    given,
  );
}

async function readFile({ terminal }: Session, name: string): Promise<string> {
  if (name === "-") return await terminal.readInput();
  try {
    return readFileSync(name, "utf8");
  } catch (error) {
    throw new UsageError(`The file ${name} cannot be read (${(error as Error).message}).`);
  }
}

function tell(
  { terminal }: Session,
  { items }: CallAnswer<typeof importRoutes.importEnvironments>,
  { dryRun }: Given,
): number {
  for (const { cluster, line, problems } of items) {
    const where = line === null ? "" : `line ${line}: `;
    if (problems.length === 0)
      terminal.out(`cluster/${cluster} ${dryRun ? "would be imported (dry run)" : "is being imported"}\n`);
    for (const { path, message, next } of problems) {
      terminal.err(`${where}${cluster}: ${path === "" ? "" : `${path}: `}${message} ${next}\n`);
    }
  }
  return items.some(({ problems }) => problems.length > 0) ? EXIT.error : EXIT.ok;
}
