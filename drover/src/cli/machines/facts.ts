import { type Machine, machineRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addOutput, type OutputFlags } from "../flags.ts";
import { describeAge } from "../render/age.ts";
import { renderData } from "../render/output.ts";
import { makeCell } from "../render/table.ts";
import { now } from "../resources/resource.ts";
import { type Session, talk, wordOf } from "../session.ts";
import { waitForLooks } from "./wait-for-looks.ts";

interface Given extends OutputFlags {
  readonly refresh?: boolean;
}

export function defineFacts(command: Command, context: CommandContext): void {
  const facts = command
    .command("facts")
    .description("what was seen on a machine")
    .argument("<name>", "which machine")
    .option("--refresh", "have it looked at first, and wait for that");
  addExamples(addOutput(facts), "drover machine facts web-1", "drover machine facts web-1 -o yaml");
  talk(facts, context, showFacts);
}

async function showFacts(session: Session, given: Given, args: Parameters<typeof wordOf>[0]): Promise<number> {
  const { client, terminal } = session;
  const params = { name: wordOf(args) };
  const machine =
    given.refresh === true ? await refresh(session, params) : await client.call(machineRoutes.getMachine, { params });
  const { output } = given;
  if (output === "json" || output === "yaml") terminal.out(renderData(machine.facts, output));
  else
    terminal.out(
      describeFacts(machine)
        .map((line) => `${makeCell(line)}\n`)
        .join(""),
    );
  return machine.facts === null ? EXIT.error : EXIT.ok;
}

async function refresh(session: Session, params: { readonly name: string }): Promise<Machine> {
  const asked = await session.client.call(machineRoutes.lookAgain, { params });
  const [seen = asked] = await waitForLooks(session, [asked]);
  return seen;
}

const gibibytes = (bytes: number | null): string => (bytes === null ? "?" : `${(bytes / 2 ** 30).toFixed(1)} GiB`);
const yesNo = (answers: Readonly<Record<string, boolean>>): string =>
  Object.entries(answers)
    .map(([name, there]) => (there ? name : `(no ${name})`))
    .join(" ");

/** A line for each fact that is known. */
export function describeFacts(machine: Machine): readonly string[] {
  const { facts, factsTime, state, message } = machine;
  const head = `${machine.name}  ${state}${message === "" ? "" : `: ${message}`}`;
  if (facts === null) return [head, "Nothing is known of it yet."];
  const { software } = facts;
  const rows: readonly (readonly [string, string | number | null])[] = [
    ["seen", `${describeAge(factsTime, now())} ago`],
    ["system", facts.os === null ? null : (facts.os.title ?? `${facts.os.id} ${facts.os.version ?? ""}`)],
    ["kernel", `${facts.kernel ?? "?"} ${facts.architecture ?? ""}`],
    ["host name", facts.hostname],
    ["inside of", facts.container],
    ["CPU", facts.cpus],
    ["memory", `${gibibytes(facts.memoryBytes)}, swap ${gibibytes(facts.swapBytes)}`],
    ...facts.disks.map(
      ({ mount, totalBytes, freeBytes }) =>
        [`disk ${mount}`, `${gibibytes(freeBytes)} free of ${gibibytes(totalBytes)}`] as const,
    ),
    ...facts.addresses.map(
      ({ interface: name, address, prefix }) =>
        [`address ${name}`, prefix === null ? address : `${address}/${prefix}`] as const,
    ),
    [
      "default route",
      facts.defaultRoute === null ? null : `${facts.defaultRoute.gateway ?? ""} ${facts.defaultRoute.interface}`,
    ],
    ["clock", describeSkew(facts.clockSkewMs)],
    ["init, packages", `${facts.init ?? "?"}, ${facts.packageManager ?? "?"}`],
    ["cgroup", facts.cgroup],
    ["SELinux, AppArmor", `${facts.selinux ?? "?"}, ${facts.apparmor === null ? "?" : facts.apparmor ? "on" : "off"}`],
    ["listens on", [...new Set(facts.listening.map(({ port }) => port))].join(" ")],
    ["containerd, kubelet", `${software.containerd ?? "none"}, ${software.kubelet ?? "none"}`],
    ["k3s", software.k3s],
    ["traces", software.traces.join(" ")],
    ["cluster", software.mark === null ? null : (software.mark.clusterName ?? software.mark.clusterId)],
    ["programs", yesNo(facts.programs)],
    ["modules", yesNo(facts.modules)],
    ["machine-id", facts.machineId],
  ];
  const known = rows.filter(([, value]) => value !== null && value !== "");
  return [head, ...known.map(([title, value]) => `  ${`${title}:`.padEnd(26)}${value}`)];
}

const describeSkew = (ms: number | null): string | null =>
  ms === null ? null : `${Math.abs(ms)} ms ${ms < 0 ? "behind" : "ahead of"} the worker`;
