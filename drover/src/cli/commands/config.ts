import type { Command } from "commander";
import { readClientEnvironment } from "../../config/client-environment.ts";
import { explainOptions } from "../../config/load-options.ts";
import { OPTION_NAMES, OPTIONS, type Option } from "../../config/options.ts";
import { findServer } from "../client/find-server.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { addOptions, readFlags } from "../command-options.ts";
import { EXIT } from "../exit-codes.ts";
import { addOutput, type OutputFlags } from "../flags.ts";
import { makeColours } from "../render/colour.ts";
import { renderList, type Shown } from "../render/output.ts";

interface Row {
  readonly name: string;
  readonly value: unknown;
  readonly source: string;
}

const ROWS: Shown<Row> = {
  kind: "option",
  nameOf: ({ name }) => name,
  columns: [
    { title: "OPTION", value: ({ name }) => name },
    { title: "VALUE", value: ({ value }) => (typeof value === "string" ? value : JSON.stringify(value)) },
    { title: "SET BY", value: ({ source }) => source },
  ],
};

export function define(command: Command, { terminal, finish }: CommandContext): void {
  const view = command
    .command("view")
    .description("every option, its value and where it was set; secrets are not shown");
  addOutput(addOptions(view, "everything"));
  addExamples(view, "drover config view", "drover config view -o json");
  view.action(async (given: OutputFlags) => {
    const rows = listRows(view);
    terminal.out(renderList(ROWS, rows, given.output, makeColours(terminal.colours)));
    await finish(Promise.resolve(EXIT.ok));
  });
}

function listRows(view: Command): readonly Row[] {
  const { options, sources } = explainOptions(readFlags(view));
  const found = findServer(options, readClientEnvironment());
  const rows = OPTION_NAMES.flatMap((name): Row[] => {
    const option: Option<never> | Option = OPTIONS[name];
    if (option.hidden === true || name === "server") return [];
    const value = option.secret === true && sources.get(name) !== null ? "(not shown)" : options[name];
    return [{ name, value: value ?? "", source: sources.get(name) ?? "default" }];
  });
  const client: readonly Row[] = [
    { name: "server", value: found.url, source: sources.get("server") ?? found.urlSource },
    { name: "token", value: found.token === null ? "(none)" : "(not shown)", source: found.tokenSource },
  ];
  return [...rows, ...client];
}
