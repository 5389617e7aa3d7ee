import type { Command } from "commander";
import type { Finding } from "../../domain/finding.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { checkMachine } from "../doctor/check-machine.ts";
import { checkServer } from "../doctor/check-server.ts";
import { EXIT } from "../exit-codes.ts";
import { addOutput, type OutputFlags } from "../flags.ts";
import type { Colours } from "../render/colour.ts";
import { renderList, type Shown } from "../render/output.ts";
import { talk } from "../session.ts";

const SIGNS = { ok: "✔", warning: "!", problem: "✘" } as const satisfies Record<Finding["result"], string>;

export function define(command: Command, context: CommandContext): void {
  addOutput(command);
  addExamples(command, "drover doctor", "drover doctor -o json");
  talk<OutputFlags>(command, context, async (session, { output }) => {
    const { client, server, version, options, terminal, colours } = session;
    const machine = [...checkMachine(options), ...(await context.handlers.examine(options))];
    // What does not answer now is a finding, and not something to wait for.
    const findings = [...machine, ...(await checkServer(client.impatiently(), server, version))];
    if (output === "table" || output === "wide")
      for (const finding of findings) terminal.out(renderFinding(finding, colours));
    else terminal.out(renderList(FINDINGS, findings, output, colours));
    return findings.some(({ result }) => result === "problem") ? EXIT.error : EXIT.ok;
  });
}

const FINDINGS: Shown<Finding> = {
  kind: "finding",
  nameOf: ({ check }) => check,
  columns: [
    { title: "CHECK", value: ({ check }) => check },
    { title: "RESULT", value: ({ result }) => result },
    { title: "DETAIL", value: ({ detail }) => detail },
    { title: "NEXT", value: ({ next }) => next },
  ],
};

function renderFinding({ check, result, detail, next }: Finding, colours: Colours): string {
  const paint = { ok: colours.green, warning: colours.yellow, problem: colours.red }[result];
  const move = next === "" ? "" : `  ${" ".repeat(CHECK_WIDTH)}→ ${next}\n`;
  return `${paint(SIGNS[result])} ${check.padEnd(CHECK_WIDTH)}${detail}\n${move}`;
}

const CHECK_WIDTH = 16;
