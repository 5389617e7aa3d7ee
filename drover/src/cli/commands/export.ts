import { importRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { talk } from "../session.ts";

export function define(command: Command, context: CommandContext): void {
  const environments = command
    .command("environments")
    .description("all clusters as environments.csv, with what was chosen for them");
  addExamples(environments, "drover export environments > environments.csv");
  talk(environments, context, async ({ client, terminal }) => {
    terminal.out(await (await client.open(importRoutes.exportEnvironments, {})).text());
    return EXIT.ok;
  });
}
