import { auditRoutes } from "@drover/contract";
import type { Command } from "commander";
import type { CallAnswer } from "../client/api-client.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addOutput, type OutputFlags, parseCount } from "../flags.ts";
import { renderList, type Shown } from "../render/output.ts";
import { talk } from "../session.ts";

type Entry = CallAnswer<typeof auditRoutes.listAudit>["items"][number];

interface Given extends OutputFlags {
  readonly actor?: string;
  readonly object?: string;
  readonly limit: number;
}

const ENTRIES: Shown<Entry> = {
  kind: "audit",
  nameOf: ({ seq }) => String(seq),
  columns: [
    { title: "ENTRY", value: ({ seq }) => String(seq) },
    { title: "TIME", value: ({ time }) => time },
    { title: "WHO", value: ({ actor }) => actor.name },
    { title: "WHAT", value: ({ action }) => action },
    { title: "OBJECT", value: ({ objectKind, objectName }) => `${objectKind}/${objectName}` },
    { title: "FROM", wide: true, value: ({ actor }) => actor.address ?? "" },
  ],
};

export function define(command: Command, context: CommandContext): void {
  const list = command.command("list").description("who changed what, newest first");
  list
    .option("--actor <name>", "only by this user or token")
    .option("--object <name>", "only about this object")
    .option("--limit <count>", "at most so many", parseCount, 100);
  addExamples(addOutput(list), "drover audit list --limit 20");
  talk<Given>(list, context, async ({ client, terminal, colours }, { actor, object, limit, output }) => {
    const { items } = await client.call(auditRoutes.listAudit, { query: { actor, objectName: object, limit } });
    terminal.out(renderList(ENTRIES, items, output, colours));
    return EXIT.ok;
  });

  const verify = command.command("verify").description("whether nobody changed the log; exit code 3 if somebody did");
  addExamples(verify, "drover audit verify");
  talk(verify, context, async ({ client, terminal }) => {
    const { entries, intact, firstBroken } = await client.call(auditRoutes.verifyAudit, {});
    if (intact) terminal.out(`${entries} entries, all fit together.\n`);
    else
      terminal.out(
        `Entry ${firstBroken} does not fit: the log was changed outside Drover. Compare it with a backup.\n`,
      );
    return intact ? EXIT.ok : EXIT.drift;
  });
}
