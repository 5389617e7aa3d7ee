import type { Command } from "commander";
import { type ClientEnvironment, readClientEnvironment } from "../config/client-environment.ts";
import type { Options } from "../config/options.ts";
import { ApiClient } from "./client/api-client.ts";
import { type FoundServer, findServer } from "./client/find-server.ts";
import type { CommandContext } from "./command.ts";
import { addOptions, readOptions } from "./command-options.ts";
import { type Colours, makeColours } from "./render/colour.ts";
import type { Terminal } from "./terminal.ts";

/** A command that talks to a server: whom it asks, where it writes. */
export interface Session {
  readonly client: ApiClient;
  readonly server: FoundServer;
  readonly terminal: Terminal;
  readonly colours: Colours;
  readonly options: Options;
  readonly environment: ClientEnvironment;
  readonly version: string;
}

export function openSession(command: Command, { terminal, version }: CommandContext): Session {
  const options = readOptions(command);
  const environment = readClientEnvironment();
  const server = findServer(options, environment);
  const onRetry = (why: string, ms: number) => {
    terminal.err(`${why} Trying again in ${Math.max(1, Math.round(ms / 1_000))} s …\n`);
  };
  const renew = () => findServer(options, environment);
  const client = new ApiClient({ url: server.url, token: server.token, renew, onRetry });
  return { client, server, terminal, colours: makeColours(terminal.colours), options, environment, version };
}

/** Gives a command the flags that say which server is meant, and what it does with that server. */
export function talk<Given extends object = Record<never, never>>(
  command: Command,
  context: CommandContext,
  run: (session: Session, given: Given, args: readonly (string | readonly string[] | undefined)[]) => Promise<number>,
): Command {
  addOptions(command, "client");
  return command.action(async () => {
    const args = command.processedArgs as readonly (string | readonly string[] | undefined)[];
    await context.finish(run(openSession(command, context), command.opts<Given>(), args));
  });
}

/** One argument that has to be there; commander has made sure of it. */
export const wordOf = (args: readonly (string | readonly string[] | undefined)[], at = 0): string => String(args[at]);

export const wordsOf = (args: readonly (string | readonly string[] | undefined)[], at = 0): readonly string[] => {
  const given = args[at];
  return given === undefined ? [] : typeof given === "string" ? [given] : given;
};
