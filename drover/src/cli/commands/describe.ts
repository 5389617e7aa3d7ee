import { type Cluster, clusterDetailRoutes, jobRoutes } from "@drover/contract";
import type { Command } from "commander";
import type { CallAnswer } from "../client/api-client.ts";
import { isApiError } from "../client/api-error.ts";
import { listAll } from "../client/list-all.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { addOutput, type OutputFlags } from "../flags.ts";
import { type ClusterFacts, describeCluster } from "../render/cluster-tree.ts";
import { renderData } from "../render/output.ts";
import { renderTree } from "../render/tree.ts";
import { getCluster } from "../resources/clusters.ts";
import { now } from "../resources/resource.ts";
import { type Session, talk, wordOf } from "../session.ts";

export function define(command: Command, context: CommandContext): void {
  addOutput(command.argument("<cluster>", "which cluster"));
  addExamples(command, "drover describe demo", "drover describe demo -o yaml");
  talk<OutputFlags>(command, context, async (session, { output }, args) => {
    const facts = await readFacts(session, wordOf(args));
    const isData = output === "json" || output === "yaml";
    session.terminal.out(
      isData ? renderData(facts, output) : renderTree(describeCluster(facts, session.colours, now())),
    );
    return 0;
  });
}

async function readFacts({ client }: Session, name: string): Promise<ClusterFacts> {
  const cluster: Cluster = await getCluster(client, name);
  const [job = null] = await listAll(client, jobRoutes.listJobs, { query: { cluster: name } }, 1);
  const graph = job === null ? null : await client.call(jobRoutes.getGraph, { params: { id: job.id } });
  return { cluster, nodes: await readNodes(client, name), job, steps: graph?.steps ?? [] };
}

type Nodes = CallAnswer<typeof clusterDetailRoutes.listNodes>;

/** A cluster that is not ready has no nodes to show; that is no reason to show nothing else. */
async function readNodes(client: Session["client"], name: string): Promise<Nodes | null> {
  try {
    return await client.call(clusterDetailRoutes.listNodes, { params: { name } });
  } catch (error) {
    if (isApiError(error, "cluster-not-ready")) return null;
    throw error;
  }
}
