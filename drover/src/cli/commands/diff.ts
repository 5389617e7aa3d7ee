import { clusterDetailRoutes, clusterRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addOutput, collect, type OutputFlags, parseCount } from "../flags.ts";
import { nameOf, readFiles } from "../read-files.ts";
import { type Difference, renderDifferences } from "../render/differences.ts";
import { renderData } from "../render/output.ts";
import { type Session, talk, wordsOf } from "../session.ts";
import { UsageError } from "../usage-error.ts";

interface Given extends OutputFlags {
  readonly filename?: readonly string[];
  readonly from?: number;
  readonly to?: number;
}

export function define(command: Command, context: CommandContext): void {
  command
    .argument("[cluster]", "the cluster whose revisions are meant")
    .option("-f, --filename <file>", "compare files with what is declared; - is standard input", collect)
    .option("--from <generation>", "the older revision", parseCount)
    .option("--to <generation>", "the newer revision; the newest when left out", parseCount);
  addOutput(command);
  addExamples(command, "drover diff -f cluster.yaml", "drover diff demo", "drover diff demo --from 1");
  talk(command, context, run);
}

/** Exit code 3 when anything differs, so that scripts can ask. */
async function run(session: Session, given: Given, args: Parameters<typeof wordsOf>[0]): Promise<number> {
  const [cluster] = wordsOf(args);
  const found =
    given.filename === undefined
      ? [await compareRevisions(session, cluster, given)]
      : await compareFiles(session, given.filename);
  for (const { name, differences } of found) tell(session, name, differences, given);
  return found.some(({ differences }) => differences.length > 0) ? EXIT.drift : EXIT.ok;
}

interface Found {
  readonly name: string;
  readonly differences: readonly Difference[];
}

async function compareRevisions({ client }: Session, name: string | undefined, { from, to }: Given): Promise<Found> {
  if (name === undefined) throw new UsageError("Name a cluster, or files with -f.");
  const { differences } = await client.call(clusterDetailRoutes.diffRevisions, {
    params: { name },
    query: { from, to },
  });
  return { name, differences };
}

async function compareFiles({ client, terminal }: Session, files: readonly string[]): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const document of await readFiles(files, terminal)) {
    const name = nameOf(document);
    if (name === null)
      throw new UsageError(`${document.file}:${document.lineOf("metadata")}: metadata.name is missing.`);
    const { differences } = await client.call(clusterRoutes.planChange, { params: { name }, body: document.data });
    found.push({ name, differences });
  }
  return found;
}

function tell(
  { terminal, colours }: Session,
  name: string,
  differences: readonly Difference[],
  { output }: Given,
): void {
  if (output === "json" || output === "yaml") terminal.out(renderData({ cluster: name, differences }, output));
  else if (differences.length === 0) terminal.out(`cluster/${name}: no differences\n`);
  else terminal.out(`cluster/${name}:\n${renderDifferences(differences, colours)}`);
}
