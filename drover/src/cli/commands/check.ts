import { type Cluster, clusterRoutes, importRoutes } from "@drover/contract";
import type { Command } from "commander";
import type { ApiClient } from "../client/api-client.ts";
import { listAll } from "../client/list-all.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addSelector, type SelectorFlags } from "../flags.ts";
import { getCluster } from "../resources/clusters.ts";
import { talk, wordsOf } from "../session.ts";

const TROUBLE: readonly string[] = ["Unavailable", "Unreachable", "Unknown"];

export function define(command: Command, context: CommandContext): void {
  addSelector(command.argument("[cluster...]", "only these clusters"));
  addExamples(command, "drover check", "drover check demo");
  talk<SelectorFlags>(command, context, async ({ client, terminal, colours }, { selector }, args) => {
    const names = wordsOf(args);
    const found =
      names.length > 0
        ? await Promise.all(names.map((name) => getCluster(client, name)))
        : await listAll(client, clusterRoutes.listClusters, { query: { selector } });
    const troubled = found.flatMap((cluster) => describeTrouble(cluster) ?? []);
    for (const line of troubled) terminal.out(`${colours.yellow("✘")} ${line}\n`);
    const undeclared = names.length > 0 || selector !== undefined ? [] : await listUndeclared(client);
    for (const { verdict, message } of undeclared) {
      terminal.out(`${verdict === "orphaned" ? colours.yellow("✘") : colours.dim("·")} ${message}\n`);
    }
    if (troubled.length === 0) terminal.out(`${found.length} clusters are as declared.\n`);
    else
      terminal.out(
        `${troubled.length} of ${found.length} clusters are not as declared. \`drover describe <cluster>\` says more.\n`,
      );
    const isClean = troubled.length === 0 && undeclared.every(({ verdict }) => verdict === "foreign");
    return isClean ? EXIT.ok : EXIT.drift;
  });
}

/** What is there and was not declared; clusters of others are worth a line, but no trouble. */
async function listUndeclared(client: ApiClient) {
  const { items } = await client.call(importRoutes.getConsistency, {});
  return items.filter(({ verdict }) => verdict === "orphaned" || verdict === "foreign");
}

/** Null for a cluster that is as declared, or on its way there. */
function describeTrouble({ metadata, status }: Cluster): string | null {
  const [phase, modifiers] = [status?.phase ?? "Pending", status?.modifiers ?? []];
  const isDrifted = modifiers.includes("Drifted") || modifiers.includes("Stalled");
  if (!isDrifted && !TROUBLE.includes(phase)) return null;
  const wanted = modifiers.includes("Stalled") ? "Stalled" : isDrifted ? "Drifted" : "Available";
  const why = status?.conditions?.find(({ type }) => type === wanted)?.message ?? status?.lastError?.message ?? "";
  return `${metadata.name}: ${[phase, ...modifiers].join(", ")}${why === "" ? "" : `: ${why}`}`;
}
