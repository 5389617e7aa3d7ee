import { clusterDetailRoutes } from "@drover/contract";
import type { Command } from "commander";
import type { CallAnswer } from "../client/api-client.ts";
import { listAll } from "../client/list-all.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { addOutput, type OutputFlags, parseCount } from "../flags.ts";
import { describeAge } from "../render/age.ts";
import { renderList, type Shown } from "../render/output.ts";
import { now } from "../resources/resource.ts";
import { talk, wordOf } from "../session.ts";

type Revision = CallAnswer<typeof clusterDetailRoutes.getRevision>;

const REVISIONS: Shown<Revision> = {
  kind: "revision",
  nameOf: ({ generation }) => String(generation),
  columns: [
    { title: "GENERATION", value: ({ generation }) => String(generation) },
    { title: "AGE", value: ({ createdTime }) => describeAge(createdTime, now()) },
    { title: "BY", value: ({ author }) => author },
    { title: "REASON", value: ({ reason }) => reason },
  ],
};

export function define(command: Command, context: CommandContext): void {
  command.argument("<cluster>", "which cluster").option("--limit <count>", "at most so many", parseCount);
  addOutput(command);
  addExamples(command, "drover history demo", "drover history demo -o yaml");
  talk<OutputFlags & { readonly limit?: number }>(command, context, async (session, { output, limit }, args) => {
    const params = { name: wordOf(args) };
    const revisions = await listAll(session.client, clusterDetailRoutes.listRevisions, { params }, limit);
    session.terminal.out(renderList(REVISIONS, revisions, output, session.colours));
    return 0;
  });
}
