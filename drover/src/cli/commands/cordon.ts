import type { Command } from "commander";
import { defineNodeAction } from "../change-node.ts";
import type { CommandContext } from "../command.ts";

export const define = (command: Command, context: CommandContext): void => defineNodeAction(command, context, "cordon");
