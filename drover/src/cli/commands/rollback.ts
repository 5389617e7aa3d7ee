import { clusterActionRoutes, clusterDetailRoutes } from "@drover/contract";
import type { Command } from "commander";
import { listAll } from "../client/list-all.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addReason, addWait, parseCount, type ReasonFlags, type WaitFlags } from "../flags.ts";
import { type Session, talk, wordOf } from "../session.ts";
import { UsageError } from "../usage-error.ts";
import { tellAccepted, waitForAll } from "../wait-for-all.ts";

interface Given extends ReasonFlags, WaitFlags {
  readonly to?: number;
  readonly consent?: boolean;
}

export function define(command: Command, context: CommandContext): void {
  command
    .argument("<cluster>", "which cluster")
    .option("--to <generation>", "the revision to declare again; the one before the newest when left out", parseCount)
    .option("--consent", "agree to what the change recreates or removes");
  addWait(addReason(command));
  addExamples(command, "drover rollback demo --to 1 --wait");
  talk(command, context, run);
}

async function run(session: Session, given: Given, args: Parameters<typeof wordOf>[0]): Promise<number> {
  const params = { name: wordOf(args) };
  const generation = given.to ?? (await findPrevious(session, params.name));
  const reason = given.reason ?? `Back to generation ${generation}`;
  const body = { generation, reason, ...(given.consent === undefined ? {} : { consent: given.consent }) };
  const accepted = await session.client.call(clusterActionRoutes.rollback, { params, body });
  tellAccepted(session, `is declared as in generation ${generation} again`, accepted);
  return given.wait === true ? await waitForAll(session, [accepted]) : EXIT.ok;
}

async function findPrevious({ client }: Session, name: string): Promise<number> {
  const [, previous] = await listAll(client, clusterDetailRoutes.listRevisions, { params: { name } }, 2);
  if (previous !== undefined) return previous.generation;
  throw new UsageError(`The cluster ${name} has only one revision; there is nothing to go back to.`);
}
