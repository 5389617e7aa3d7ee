import { readFileSync } from "node:fs";
import { type MachineProblem, machineRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addOutput, type OutputFlags } from "../flags.ts";
import { renderData } from "../render/output.ts";
import { makeCell } from "../render/table.ts";
import { type Session, talk, wordsOf } from "../session.ts";
import { UsageError } from "../usage-error.ts";
import { expandAll } from "./expand-range.ts";

interface Given extends OutputFlags {
  readonly filename?: string;
  readonly cluster?: string;
}

export function defineCheck(command: Command, context: CommandContext): void {
  const check = command
    .command("check")
    .description("what is in the way of a cluster, with the command that mends it; exit code 3 when anything is")
    .argument("[name...]", "only these machines; web-[1-3] stands for three")
    .option("-f, --filename <file>", "the machines of this document, by what it asks of them; - is standard input")
    .option("--cluster <cluster>", "the machines of a declared cluster");
  addExamples(addOutput(check), "drover machine check", "drover machine check -f machines-cluster.yaml");
  talk(check, context, checkMachines);
}

async function checkMachines(session: Session, given: Given, args: Parameters<typeof wordsOf>[0]): Promise<number> {
  const { client, terminal, colours } = session;
  const names = expandAll(wordsOf(args));
  const { filename, cluster, output } = given;
  if ([filename !== undefined, cluster !== undefined, names.length > 0].filter(Boolean).length > 1)
    throw new UsageError("Name machines, a file with -f, or a --cluster: one of them.");
  const document = filename === undefined ? {} : { document: await readDocument(session, filename) };
  const { items } = await client.call(machineRoutes.checkMachines, {
    body: {
      ...document,
      ...(cluster === undefined ? {} : { cluster }),
      ...(names.length === 0 ? {} : { machines: [...names] }),
    },
  });
  const problems = items.flatMap((item) => item.problems);
  const errors = problems.filter(({ severity }) => severity === "error");
  if (output === "json" || output === "yaml") terminal.out(renderData({ items }, output));
  else {
    for (const problem of problems)
      terminal.out(describe(problem, problem.severity === "error" ? colours.red("✘") : colours.yellow("!")));
    terminal.out(`${items.length} machines, ${errors.length} errors, ${problems.length - errors.length} warnings.\n`);
  }
  return errors.length === 0 ? EXIT.ok : EXIT.drift;
}

async function readDocument({ terminal }: Session, file: string): Promise<string> {
  if (file === "-") return await terminal.readInput();
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`The file ${file} cannot be read (${(error as Error).message}).`);
  }
}

function describe({ machine, path, code, message, next, command }: MachineProblem, sign: string): string {
  const place = path === "" ? "" : ` (${path})`;
  const mend = command === null ? "" : `    ${makeCell(command)}\n`;
  return `${sign} ${makeCell(`${machine}${place}: ${message} [${code}]`)}\n    ${makeCell(next)}\n${mend}`;
}
