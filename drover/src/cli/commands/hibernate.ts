import type { Command } from "commander";
import { defineAction } from "../act-on-cluster.ts";
import type { CommandContext } from "../command.ts";

export const define = (command: Command, context: CommandContext): void =>
  defineAction(command, context, "hibernate", "is being stopped, its data is kept; `drover wake` starts it again");
