import { clusterRoutes } from "@drover/contract";
import type { Command } from "commander";
import type { CallAnswer } from "../client/api-client.ts";
import { ApiError } from "../client/api-error.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { describeRefusal } from "../declare-document.ts";
import { EXIT } from "../exit-codes.ts";
import { addFiles, addOutput, type FileFlags, type OutputFlags } from "../flags.ts";
import { nameOf, readFiles } from "../read-files.ts";
import { renderDifferences } from "../render/differences.ts";
import { renderData } from "../render/output.ts";
import { type Session, talk } from "../session.ts";
import { UsageError } from "../usage-error.ts";

type Plan = CallAnswer<typeof clusterRoutes.planChange>;

export function define(command: Command, context: CommandContext): void {
  addOutput(addFiles(command));
  addExamples(command, "drover plan -f cluster.yaml", "drover plan -f cluster.yaml -o json");
  talk(command, context, run);
}

async function run(session: Session, { filename, output }: FileFlags & OutputFlags): Promise<number> {
  for (const document of await readFiles(filename, session.terminal)) {
    const name = nameOf(document);
    if (name === null)
      throw new UsageError(`${document.file}:${document.lineOf("metadata")}: metadata.name is missing.`);
    try {
      const plan = await session.client.call(clusterRoutes.planChange, { params: { name }, body: document.data });
      session.terminal.out(
        output === "json" || output === "yaml" ? renderData(plan, output) : describePlan(session, name, plan),
      );
    } catch (error) {
      if (!(error instanceof ApiError) || error.answer.problems === undefined) throw error;
      session.terminal.err(`${describeRefusal(error, document)}\n`);
      return EXIT.error;
    }
  }
  return EXIT.ok;
}

function describePlan({ colours }: Session, name: string, { change, differences, steps, consent, hash }: Plan): string {
  if (change === "nothing" && steps.length === 0) return `cluster/${name}: nothing would change.\n`;
  const listed = steps.map(({ title, host }, at) => `  ${at + 1}. ${title}${host === "local" ? "" : ` (${host})`}\n`);
  const warning = consent.map((what) => colours.red(`  ! ${what}\n`)).join("");
  return [
    `cluster/${name}: ${change}, ${steps.length} steps${hash === null ? "" : ` (plan ${hash.slice(0, 12)})`}\n`,
    renderDifferences(differences, colours),
    ...listed,
    warning === "" ? "" : `This needs your consent (\`drover apply --consent\`):\n${warning}`,
  ].join("");
}
