import { clusterRoutes } from "@drover/contract";
import type { Command } from "commander";
import { listAll } from "../client/list-all.ts";
import { addExamples, type CommandContext } from "../command.ts";
import type { Accepted } from "../declare-document.ts";
import { EXIT } from "../exit-codes.ts";
import { addReason, addSelector, addWait, type ReasonFlags, type SelectorFlags, type WaitFlags } from "../flags.ts";
import { type Session, talk, wordsOf } from "../session.ts";
import { UsageError } from "../usage-error.ts";
import { tellAccepted, waitForAll } from "../wait-for-all.ts";

interface Given extends ReasonFlags, SelectorFlags, WaitFlags {
  readonly yes?: boolean;
  readonly releaseLeftovers?: boolean;
  readonly dryRun?: boolean;
}

export function define(command: Command, context: CommandContext): void {
  command
    .argument("[cluster...]", "which clusters")
    .option("--yes", "do not ask")
    .option("--dry-run", "say which clusters would be deleted; delete nothing")
    .option("--release-leftovers", "forget what cannot be removed, so that the cluster can go");
  addWait(addReason(addSelector(command)));
  addExamples(command, "drover delete dev-1 --yes --wait", "drover delete -l env=dev --dry-run");
  talk(command, context, run);
}

async function run(session: Session, given: Given, args: Parameters<typeof wordsOf>[0]): Promise<number> {
  const names = await chooseClusters(session, wordsOf(args), given.selector);
  if (given.dryRun === true) {
    for (const name of names) session.terminal.out(`cluster/${name} would be deleted (dry run)\n`);
    return EXIT.ok;
  }
  if (given.yes !== true) await confirm(session, names);
  const accepted: Accepted[] = [];
  for (const name of names) {
    const { reason, releaseLeftovers } = given;
    const one = await session.client.call(clusterRoutes.deleteCluster, {
      params: { name },
      query: { reason, releaseLeftovers },
    });
    tellAccepted(session, "is being deleted", one);
    accepted.push(one);
  }
  return given.wait === true ? await waitForAll(session, accepted) : EXIT.ok;
}

async function chooseClusters({ client }: Session, names: readonly string[], selector: string | undefined) {
  if (names.length > 0 && selector !== undefined) throw new UsageError("Name clusters or a selector, not both.");
  if (names.length > 0) return names;
  if (selector === undefined) throw new UsageError("Name the clusters to delete, or select them with -l.");
  const found = await listAll(client, clusterRoutes.listClusters, { query: { selector } });
  if (found.length === 0) throw new UsageError(`No cluster has the labels ${selector}; nothing was deleted.`);
  return found.map(({ metadata }) => metadata.name);
}

/** Typing the name is slow enough to notice a mistake; for several, their number. */
async function confirm({ terminal }: Session, names: readonly string[]): Promise<void> {
  const [name = ""] = names;
  const wanted = names.length === 1 ? name : String(names.length);
  const what =
    names.length === 1 ? `the cluster ${name} with everything in it` : `${names.length} clusters: ${names.join(", ")}`;
  const answer = await terminal.ask(`This deletes ${what}.\nType ${wanted} to go on: `);
  if (answer === null) throw new UsageError("Nobody is there to ask: add --yes to delete without a question.");
  if (answer.trim() !== wanted) throw new UsageError(`"${answer.trim()}" is not ${wanted}; nothing was deleted.`);
}
