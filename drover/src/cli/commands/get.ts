import { eventRoutes } from "@drover/contract";
import type { Command } from "commander";
import { followStream } from "../client/follow.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { addOutput, addSelector, type OutputFlags, parseCount, type SelectorFlags } from "../flags.ts";
import { type Output, renderList, renderOne } from "../render/output.ts";
import { events as eventKind } from "../resources/events.ts";
import { RESOURCES } from "../resources/index.ts";
import type { AnyResource, Filter } from "../resources/resource.ts";
import { type Session, talk, wordOf, wordsOf } from "../session.ts";
import { UsageError } from "../usage-error.ts";
import { watchList } from "../watch-list.ts";

interface Given extends OutputFlags, SelectorFlags {
  readonly watch?: boolean;
  readonly limit?: number;
  readonly ready?: boolean;
}

export function define(command: Command, context: CommandContext): void {
  const kinds = RESOURCES.map(({ words }) => words[0]).join(", ");
  command
    .argument("<kind>", `one of: ${kinds}`)
    .argument("[name...]", "only these; for nodes, jobs and events the cluster they belong to")
    .option("-w, --watch", "go on showing what changes, until Ctrl+C")
    .option("--ready", "only clusters that can be used now")
    .option("--limit <count>", "at most so many", parseCount);
  addSelector(addOutput(command));
  addExamples(
    command,
    "drover get clusters",
    "drover get clusters --watch",
    "drover get clusters -l env=dev -o wide",
    "drover get clusters --ready",
    "drover get cluster demo -o yaml",
    "drover get nodes demo",
    "drover get events demo --limit 20",
    "drover get workers",
  );
  talk(command, context, run);
}

async function run(session: Session, given: Given, args: Parameters<typeof wordOf>[0]): Promise<number> {
  const resource = findResource(wordOf(args));
  const { selector, limit, ready } = given;
  const filter: Filter = { names: wordsOf(args, 1), selector, limit, ready };
  return await showList(session, resource, filter, given.output, given.watch === true);
}

export async function showList(
  session: Session,
  resource: AnyResource,
  filter: Filter,
  output: Output,
  watch: boolean,
): Promise<number> {
  if (watch && resource.kind === "event") return await followEvents(session, filter, output);
  if (watch && resource.watch === undefined)
    throw new UsageError(`${resource.words[0]} cannot be watched; leave --watch out.`);
  if (watch) return await watchList(session, { resource, filter, output });
  const items = await resource.list(session.client, filter);
  const { terminal, colours } = session;
  const [item] = items;
  const isOne = filter.names.length === 1 && items.length === 1 && resource.nameOf(item) === filter.names[0];
  terminal.out(isOne ? renderOne(resource, item, output, colours) : renderList(resource, items, output, colours));
  if (items.length === 0 && (output === "table" || output === "wide"))
    terminal.err(`There are no ${resource.words[0]} here.\n`);
  return 0;
}

export function findResource(word: string): AnyResource {
  const found = RESOURCES.find(({ words }) => words.includes(word.toLowerCase()));
  if (found !== undefined) return found;
  throw new UsageError(
    `"${word}" is nothing that can be listed. It must be one of: ${RESOURCES.map(({ words }) => words[0]).join(", ")}.`,
  );
}

/** Events never change, so each is simply a further line. */
async function followEvents({ client, terminal, colours }: Session, { names, selector }: Filter, output: Output) {
  const stopped = new AbortController();
  const unlisten = terminal.onInterrupt(() => stopped.abort());
  await followStream({
    signal: stopped.signal,
    open: (lastEventId, signal) =>
      client.open(eventRoutes.streamEvents, {
        query: { cluster: names[0], selector },
        headers: { accept: "text/event-stream", ...(lastEventId === null ? {} : { "last-event-id": lastEventId }) },
        signal,
      }),
    onEvent: ({ event, data }) => {
      if (event !== "message") return false;
      if (output === "json") terminal.out(`${data}\n`);
      else
        terminal.out(
          renderList(eventKind, [JSON.parse(data)], output, colours)
            .split("\n")
            .slice(output === "table" || output === "wide" ? 1 : 0)
            .join("\n"),
        );
      return false;
    },
    onLost: (why) => terminal.err(`Connection lost (${why}). Trying again …\n`),
    onResumed: () => terminal.err("Connection is back: resumed behind the last event, 0 lost.\n"),
  });
  unlisten();
  return 0;
}
