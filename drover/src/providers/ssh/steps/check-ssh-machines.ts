import { DroverError, type MachineFacts, type MachineProblem } from "@drover/contract";
import { type CheckedMachine, checkMachines } from "../../../machines/check-machines.ts";
import { isMember } from "../../../machines/checks/checked-node.ts";
import { FACTS_SCRIPT } from "../../../machines/facts/facts-script.ts";
import { parseFacts } from "../../../machines/facts/parse-facts.ts";
import { runOrThrow } from "../../../ports/connector.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { sshPart } from "../declared.ts";
import type { SshHost } from "../host.ts";
import { pinMachine, unpinnedAmong } from "../pin-machine.ts";
import { argvOf, type Script } from "../scripts/script.ts";

const TELL_FACTS: Script = { name: "drover-tell-facts", text: FACTS_SCRIPT };
const FACTS_BYTES = 512 * 1024;
const FACTS_DEADLINE_MS = 20_000;

/** What a machine told, or why it could not. */
type Answer = { readonly name: string } & ({ readonly facts: MachineFacts } | { readonly failure: unknown });

/**
 * Meets every machine, and tells everything that is in the way on all of them at once, before any is touched. Machines
 * that are the cluster's already are asked again only when others are to join them.
 */
export function checkSshMachines(host: SshHost): Step {
  return {
    name: "check-ssh-machines",
    light: true,
    precheck: async (context) => {
      const names = namesOf(context);
      if ((await unpinnedAmong(context, names)).length > 0) return false;
      const seen = await host.seeAll(context.cluster, names, context.signal);
      return seen.every((one) => "look" in one && one.look.mark?.clusterId === context.cluster.id);
    },
    run: (context) => {
      const text = "Ask all machines what they are, and refuse what a cluster cannot be made of";
      return context.change(context.step.host, text, () => check(host, context));
    },
    // Nothing was made that could be looked for; what was in the way has thrown.
    verify: async (context) => (await unpinnedAmong(context, namesOf(context))).length === 0,
  };
}

const namesOf = ({ cluster }: StepContext): readonly string[] => sshPart(cluster.spec).nodes.map(({ name }) => name);

async function check(host: SshHost, context: StepContext): Promise<void> {
  const answers = await Promise.all(namesOf(context).map((name) => ask(host, context, name)));
  const failures = answers.flatMap((answer) => ("failure" in answer ? [answer] : []));
  const problems = judge(context, answers);
  for (const problem of problems) context.log(describe(problem));
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) {
    for (const { failure } of failures) throw failure;
    return;
  }
  for (const { name, failure } of failures) context.log(`${name}: ${messageOf(failure)}`);
  throw refuse(
    errors,
    failures.map(({ name }) => name),
  );
}

async function ask(host: SshHost, context: StepContext, name: string): Promise<Answer> {
  const { clock, machines } = host.parts;
  try {
    await pinMachine(host, context, name);
    const machine = await machines.connect(context.cluster, name);
    const sentAt = clock.now();
    const { stdout } = await runOrThrow(
      machine,
      { argv: argvOf(TELL_FACTS) },
      { signal: context.signal, deadlineMs: FACTS_DEADLINE_MS, keepBytes: FACTS_BYTES },
    );
    const facts = parseFacts(stdout, { sentAt, answeredAt: clock.now() });
    if (facts === null) throw new DroverError("step-failed", `${name} told nothing of itself.`);
    return { name, facts };
  } catch (failure) {
    context.signal.throwIfAborted();
    return { name, failure };
  }
}

function judge({ cluster }: StepContext, answers: readonly Answer[]): readonly MachineProblem[] {
  const { nodes, access } = sshPart(cluster.spec);
  const told = new Map(answers.flatMap((answer) => ("facts" in answer ? [[answer.name, answer.facts] as const] : [])));
  const machines = nodes.flatMap(({ name, address, port = access.port, roles }, at): CheckedMachine[] => {
    const facts = told.get(name);
    const path = `spec.ssh.nodes[${at}]`;
    return facts === undefined ? [] : [{ name, address, port, roles, path, facts, state: "Reachable", message: "" }];
  });
  const planned = { id: cluster.id, spec: cluster.spec };
  const isOurs = (name: string) =>
    machines.some((one) => one.name === name && one.facts !== null && isMember({ facts: one.facts }, planned));
  // A node that runs is not refused any more for what it lacks.
  return checkMachines(machines, planned).map((problem) =>
    isOurs(problem.machine) ? { ...problem, severity: "warning" } : problem,
  );
}

const describe = ({ machine, severity, message, next, command }: MachineProblem): string =>
  `${machine}: ${severity === "error" ? "" : "(warning) "}${message} ${command === null ? next : `Run there as root: ${command}`}`;

const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));

function refuse(errors: readonly MachineProblem[], silent: readonly string[]): DroverError {
  const also = silent.length === 0 ? "" : ` ${silent.join(", ")} could not be asked.`;
  return new DroverError("machines-unfit", `No machine was touched. ${errors.map(describe).join(" ")}${also}`, {
    details: { problems: errors.map((problem) => ({ ...problem })) },
  });
}
