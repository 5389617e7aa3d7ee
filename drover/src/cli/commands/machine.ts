import { MACHINE_STATES, machineRoutes } from "@drover/contract";
import type { Command } from "commander";
import { listAll } from "../client/list-all.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addOutput, collect, type OutputFlags } from "../flags.ts";
import { defineChanges } from "../machines/change.ts";
import { defineCheck } from "../machines/check.ts";
import { defineEnroll } from "../machines/enroll.ts";
import { expandAll } from "../machines/expand-range.ts";
import { defineFacts } from "../machines/facts.ts";
import { renderList } from "../render/output.ts";
import { machines } from "../resources/machines.ts";
import { talk, wordsOf } from "../session.ts";

interface ListGiven extends OutputFlags {
  readonly selector?: string;
  readonly state?: readonly string[];
  readonly search?: string;
}

export function define(command: Command, context: CommandContext): void {
  defineEnroll(command, context);

  const list = addOutput(command.command("list").description("machines by name"))
    .option("-l, --selector <labels>", "only machines with these labels, as rack=a,!spare")
    .option("--state <state>", `only machines in this state (${MACHINE_STATES.join(", ")}); repeatable`, collect)
    .option("--search <text>", "only machines with this in their name, address or labels");
  addExamples(list, "drover machine list", "drover machine list -l rack=a --state Reachable");
  talk<ListGiven>(list, context, async ({ client, terminal, colours }, { selector, state, search, output }) => {
    const found = await listAll(client, machineRoutes.listMachines, { query: { selector, state, search } });
    terminal.out(renderList(machines, found, output, colours));
    return EXIT.ok;
  });

  const get = addOutput(
    command
      .command("get")
      .description("machines by name")
      .argument("<name...>", "which machines; web-[1-3] stands for three"),
  );
  addExamples(get, "drover machine get web-1 -o yaml");
  talk<OutputFlags>(get, context, async ({ client, terminal, colours }, { output }, args) => {
    const found = await Promise.all(
      expandAll(wordsOf(args)).map((name) => client.call(machineRoutes.getMachine, { params: { name } })),
    );
    terminal.out(renderList(machines, found, output, colours));
    return EXIT.ok;
  });

  defineFacts(command, context);
  defineCheck(command, context);
  defineChanges(command, context);
}
