import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, clusterRoutes } from "@drover/contract";
import type { Command } from "commander";
import { stringify } from "yaml";
import { ApiError, isApiError } from "../client/api-error.ts";
import { addExamples, type CommandContext } from "../command.ts";
import type { Accepted } from "../declare-document.ts";
import { describeRefusal } from "../declare-document.ts";
import { EXIT } from "../exit-codes.ts";
import { addReason, addWait, type ReasonFlags, type WaitFlags } from "../flags.ts";
import { DocumentsError, readFiles } from "../read-files.ts";
import { type Session, talk, wordOf } from "../session.ts";
import { tellAccepted, waitForAll } from "../wait-for-all.ts";

interface Given extends ReasonFlags, WaitFlags {
  readonly consent?: boolean;
}

const NOTE = "#! ";
const MOST_ROUNDS = 100;

export function define(command: Command, context: CommandContext): void {
  command.argument("<cluster>", "which cluster").option("--consent", "agree to what the change recreates or removes");
  addWait(addReason(command));
  addExamples(command, "drover edit demo --wait");
  talk(command, context, run);
}

/** What was typed is never lost: a document that is refused comes back to the editor, and stays in its file at the end. */
async function run(session: Session, given: Given, args: Parameters<typeof wordOf>[0]): Promise<number> {
  const name = wordOf(args);
  const folder = mkdtempSync(join(tmpdir(), "drover-edit-"));
  const file = join(folder, `${name}.yaml`);
  try {
    const accepted = await editUntilAccepted(session, name, file, given);
    rmSync(folder, { recursive: true });
    if (accepted === null) session.terminal.out(`cluster/${name} unchanged\n`);
    else tellAccepted(session, "changed", accepted);
    return accepted !== null && given.wait === true ? await waitForAll(session, [accepted]) : EXIT.ok;
  } catch (error) {
    session.terminal.err(`What you typed is kept in ${file}.\n`);
    throw error;
  }
}

async function editUntilAccepted(session: Session, name: string, file: string, given: Given): Promise<Accepted | null> {
  const { client, terminal } = session;
  let current = await read(session, name);
  let before = current.text;
  let notes: readonly string[] = ["Save and close to declare this. Leave it as it is, or empty it, to change nothing."];
  writeFileSync(file, withNotes(before, notes), { mode: 0o600 });
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await terminal.edit(file);
    const typed = withoutNotes(readFileSync(file, "utf8"));
    if (typed.trim() === "" || typed === before) {
      if (round === 0 || typed.trim() === "") return null;
      // Saved again as it was refused: whoever does that wants out.
      throw new DocumentsError(notes.join("\n"));
    }
    writeFileSync(file, typed);
    try {
      const [document, ...others] = await readFiles([file], terminal);
      if (document === undefined || others.length > 0) throw new DocumentsError("Exactly one document is expected.");
      const { reason, consent } = given;
      const query = { reason, consent };
      const params = { name };
      const accepted = await client
        .call(clusterRoutes.editCluster, { params, query, body: document.data, ifMatch: current.etag })
        .catch((error: unknown) => {
          throw error instanceof ApiError && error.answer.problems !== undefined
            ? new DocumentsError(describeRefusal(error, document))
            : error;
        });
      return accepted.jobId === null && accepted.generation === current.generation ? null : accepted;
    } catch (error) {
      if (isApiError(error, "generation-conflict")) {
        const theirs = await read(session, name);
        notes = [
          "Somebody else changed the cluster meanwhile. This is what it is now; yours is below:",
          ...theirs.text.trimEnd().split("\n"),
        ];
        current = theirs;
      } else if (error instanceof DocumentsError) notes = error.message.split("\n");
      else throw error;
      before = typed;
      writeFileSync(file, withNotes(typed, notes));
    }
  }
  throw new DocumentsError(notes.join("\n"));
}

async function read({ client }: Session, name: string) {
  const { body, etag } = await client.callWithEtag(clusterRoutes.getCluster, { params: { name } });
  return {
    text: stringify(dropServerSet(body), { lineWidth: 0 }),
    etag: etag ?? "*",
    generation: body.metadata.generation,
  };
}

/** What only the server writes would be in the way. */
function dropServerSet({ apiVersion, kind, metadata, spec }: Cluster) {
  const { name, labels, annotations } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) },
    spec,
  };
}

const withNotes = (text: string, notes: readonly string[]): string =>
  `${notes.map((note) => `${NOTE}${note}\n`).join("")}${text}`;

/** Comments of the author stay; ours go. */
const withoutNotes = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !line.startsWith(NOTE.trimEnd()))
    .join("\n");
