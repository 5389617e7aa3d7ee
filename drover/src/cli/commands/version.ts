import { metaRoutes } from "@drover/contract";
import type { Command } from "commander";
import { ConnectionError } from "../client/api-error.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { talk } from "../session.ts";

export function define(command: Command, context: CommandContext): void {
  addExamples(command, "drover version");
  talk(command, context, async ({ client, terminal, server, version }) => {
    terminal.out(`drover ${version}\n`);
    try {
      const answer = await client.call(metaRoutes.version, {});
      terminal.out(`server ${answer.version} at ${server.url}\n`);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      terminal.out(`server: ${error.message}\n`);
    }
    return EXIT.ok;
  });
}
