import type { Command } from "commander";
import { ApiError } from "../client/api-error.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { type Accepted, declareDocument, describeRefusal } from "../declare-document.ts";
import { EXIT } from "../exit-codes.ts";
import { addFiles, addReason, addWait, type FileFlags, type ReasonFlags, type WaitFlags } from "../flags.ts";
import { readFiles } from "../read-files.ts";
import { type Session, talk } from "../session.ts";
import { tellAccepted, waitForAll } from "../wait-for-all.ts";

interface Given extends FileFlags, ReasonFlags, WaitFlags {
  readonly dryRun?: boolean;
  readonly consent?: boolean;
}

export function define(command: Command, context: CommandContext): void {
  addWait(addReason(addFiles(command)))
    .option("--dry-run", "check everything and say what would happen, but store nothing")
    .option("--consent", "agree to what the change recreates or removes");
  addExamples(
    command,
    "drover apply -f cluster.yaml --wait",
    "drover apply -f clusters/ --dry-run",
    "cat cluster.yaml | drover apply -f -",
  );
  talk(command, context, run);
}

/** A document that is refused does not keep the others from being declared. */
async function run(session: Session, given: Given): Promise<number> {
  const documents = await readFiles(given.filename, session.terminal);
  const accepted: Accepted[] = [];
  let refused = 0;
  for (const document of documents) {
    try {
      const { accepted: one, verb } = await declareDocument(session, document, given);
      tellAccepted(session, given.dryRun ? `${verb} (dry run)` : verb, one);
      accepted.push(one);
    } catch (error) {
      if (!(error instanceof ApiError) || error.answer.status >= 500 || error.answer.status === 401) throw error;
      refused += 1;
      session.terminal.err(`${describeRefusal(error, document)}\n`);
    }
  }
  const code = given.wait === true && given.dryRun !== true ? await waitForAll(session, accepted) : EXIT.ok;
  return refused > 0 ? EXIT.error : code;
}
