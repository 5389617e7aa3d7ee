import { clusterRoutes } from "@drover/contract";
import type { Command } from "commander";
import { listAll } from "../client/list-all.ts";
import type { CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { RESOURCES } from "../resources/index.ts";
import { openSession, type Session } from "../session.ts";

/** Longer lists than this help nobody to choose. */
const MOST = 200;

/** Prints the words that may stand where the Tab key was pressed, one on a line. Says nothing when it cannot know. */
export function define(command: Command, context: CommandContext): void {
  command.argument("[words...]", "what was typed, the last one unfinished");
  command.action(async (words: readonly string[]) => {
    const fitting = (await findWords(words, command, context)).filter((word) => word.startsWith(words.at(-1) ?? ""));
    context.terminal.out(fitting.map((word) => `${word}\n`).join(""));
    await context.finish(Promise.resolve(EXIT.ok));
  });
}

async function findWords(words: readonly string[], own: Command, context: CommandContext): Promise<readonly string[]> {
  const [first = "", ...others] = words.slice(0, -1);
  const program = await context.loadProgram(first === "" ? undefined : first);
  const visible = (command: Command) =>
    command.commands.map((child) => child.name()).filter((name) => !name.startsWith("_"));
  if (first === "") return [...visible(program), "--help", "--version"];
  const top = program.commands.find((child) => child.name() === first || child.aliases().includes(first));
  if (top === undefined) return [];
  const command = top.commands.find((child) => child.name() === others[0]) ?? top;
  if (words.at(-1)?.startsWith("-")) return [...command.options.flatMap(({ long }) => long ?? []), "--help"];
  if (command.commands.length > 0) return visible(command);
  const values = command.options.find(({ long, short }) => [long, short].includes(others.at(-1) ?? ""));
  if (values !== undefined && !values.isBoolean()) return values.argChoices ?? [];
  return await findArguments(command, others.filter((word) => !word.startsWith("-")).length, openSession(own, context));
}

async function findArguments(command: Command, at: number, session: Session): Promise<readonly string[]> {
  const argument = command.registeredArguments[Math.min(at, command.registeredArguments.length - 1)];
  if (argument === undefined) return [];
  if (argument.argChoices !== undefined) return argument.argChoices;
  if (command.name() === "get" && at === 0) return RESOURCES.flatMap(({ words }) => words[0] ?? []);
  if (!/^(cluster|name)/.test(argument.name()) || command.name() === "create") return [];
  try {
    const clusters = await listAll(session.client, clusterRoutes.listClusters, {}, MOST);
    return clusters.map(({ metadata }) => metadata.name);
  } catch {
    return [];
  }
}
