import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { addOutput, type OutputFlags, parseCount } from "../flags.ts";
import { jobs } from "../resources/jobs.ts";
import { talk, wordsOf } from "../session.ts";
import { showList } from "./get.ts";

interface Given extends OutputFlags {
  readonly watch?: boolean;
  readonly limit?: number;
}

export function define(command: Command, context: CommandContext): void {
  command
    .argument("[cluster...]", "only jobs of these clusters; or one job as demo/3")
    .option("-w, --watch", "go on showing what changes, until Ctrl+C")
    .option("--limit <count>", "at most so many", parseCount);
  addOutput(command);
  addExamples(command, "drover jobs", "drover jobs demo -o wide", "drover jobs demo/1");
  talk<Given>(command, context, (session, { output, watch, limit }, args) =>
    showList(session, jobs, { names: wordsOf(args), selector: undefined, limit }, output, watch === true),
  );
}
