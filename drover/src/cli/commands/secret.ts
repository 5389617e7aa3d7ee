import { readFileSync } from "node:fs";
import { secretRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addOutput, collect, type OutputFlags, parsePairs } from "../flags.ts";
import { renderList } from "../render/output.ts";
import { secrets } from "../resources/others.ts";
import { type Session, talk, wordOf } from "../session.ts";
import { UsageError } from "../usage-error.ts";

interface SetGiven {
  readonly fromFile?: readonly string[];
  readonly description?: string;
}

export function define(command: Command, context: CommandContext): void {
  const list = addOutput(command.command("list").description("names of secrets, and who uses them"));
  addExamples(list, "drover secret list");
  talk<OutputFlags>(list, context, async ({ client, terminal, colours }, { output }) => {
    const { items } = await client.call(secretRoutes.listSecrets, {});
    terminal.out(renderList(secrets, items, output, colours));
    return EXIT.ok;
  });

  const set = command
    .command("set")
    .description("store a secret, or replace all its values; they cannot be read back")
    .argument("<name>", "what it is called")
    .requiredOption(
      "--from-file <entry=file>",
      "an entry and the file that holds it; - is standard input; the line end of a single line is left out; repeatable",
      collect,
    )
    .option("--description <text>", "what it is for");
  addExamples(set, "drover secret set ssh-key --from-file privateKey=id_ed25519");
  talk(set, context, setSecret);

  const remove = command.command("delete").description("delete a secret that nothing uses").argument("<name>", "which");
  addExamples(remove, "drover secret delete old-key");
  talk(remove, context, async ({ client, terminal }, _given, args) => {
    const name = wordOf(args);
    await client.call(secretRoutes.deleteSecret, { params: { name } });
    terminal.out(`secret/${name} deleted\n`);
    return EXIT.ok;
  });
}

/** Values come from files alone: a command line is seen by everybody on the machine. */
async function setSecret({ client, terminal }: Session, given: SetGiven, args: Parameters<typeof wordOf>[0]) {
  const name = wordOf(args);
  const entries: Record<string, string> = {};
  for (const [entry, file] of Object.entries(parsePairs(given.fromFile ?? []))) {
    entries[entry] = withoutLineEnd(file === "-" ? await terminal.readInput() : readEntry(file));
  }
  const content = { entries, ...(given.description === undefined ? {} : { description: given.description }) };
  const { items } = await client.call(secretRoutes.listSecrets, {});
  const isThere = items.some((secret) => secret.name === name);
  if (isThere) await client.call(secretRoutes.replaceSecret, { params: { name }, body: content });
  else await client.call(secretRoutes.createSecret, { body: { name, ...content } });
  terminal.out(`secret/${name} ${isThere ? "replaced" : "stored"}\n`);
  return EXIT.ok;
}

/** That of a single line is an editor's, or that of `echo`; a key of several lines needs its last one. */
const withoutLineEnd = (text: string): string => (/^[^\n]*\n$/.test(text) ? text.replace(/\r?\n$/, "") : text);

function readEntry(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`The file ${file} cannot be read (${(error as Error).message}).`);
  }
}
