import type { ClusterSpec } from "@drover/contract";
import type { Module, StepUse, Task } from "../../../domain/pipeline.ts";
import { controlPlanesOf, type DeclaredNode, etcdNodesOf, hasSeparateEtcd, sshPart } from "../declared.ts";
import { MAKING } from "../plan-parts.ts";
import type { SeenMachine } from "../seen-machines.ts";

const STARTING_MS = 10 * 60_000;

const one = (title: string, host: string, use: Omit<StepUse, "host">): Task => ({ title, steps: [{ ...use, host }] });

/** The database before the API servers that ask it, one member after the other. */
export function planDatabase(spec: ClusterSpec, machines: readonly SeenMachine[]): readonly Module[] {
  if (!hasSeparateEtcd(spec)) return [];
  const members = inOrder(etcdNodesOf(spec), machines);
  const access = (node: string): Omit<StepUse, "host"> => ({
    step: "give-ssh-etcd-access",
    title: `Let ${node} ask etcd`,
    changes: [`Brings a certificate for etcd to ${node}`],
  });
  return [
    {
      title: "Run the database",
      tasks: [
        ...members.map(({ name }) =>
          one(`Member ${name}`, name, {
            ...{ step: "start-ssh-etcd", title: `Run etcd on ${name}`, deadlineMs: STARTING_MS, retry: MAKING },
            changes: [`Runs etcd on ${name}, as a member of the database`],
          }),
        ),
        {
          title: "Access",
          steps: controlPlanesOf(spec).map(({ name }) => ({ ...access(name), host: name })),
        },
      ],
    },
  ];
}

/** Those that are members first: what there is of a database is not begun again. */
function inOrder(nodes: readonly DeclaredNode[], machines: readonly SeenMachine[]): readonly DeclaredNode[] {
  const members = nodes.filter(isMemberAmong(machines));
  return [...members, ...nodes.filter((node) => !members.includes(node))];
}

const isMemberAmong =
  (machines: readonly SeenMachine[]) =>
  ({ name }: DeclaredNode): boolean =>
    machines.some(({ declared, node, etcdMember }) => declared && node === name && etcdMember);

export const membersAmong = (spec: ClusterSpec, machines: readonly SeenMachine[]): readonly DeclaredNode[] =>
  etcdNodesOf(spec).filter(isMemberAmong(machines));

/** API servers leave a member alone before it goes, and one that is new is asked by all of them. */
export function planEndpoints(spec: ClusterSpec, machines: readonly SeenMachine[]): readonly Module[] {
  if (!hasSeparateEtcd(spec)) return [];
  const retired = machines.filter(
    ({ declared, node, etcdMember }) => declared && etcdMember && !etcdNodesOf(spec).some(({ name }) => name === node),
  );
  return [
    {
      title: "Tell the API servers of the database",
      tasks: [
        ...controlPlanesOf(spec).map(({ name }) =>
          one(`API server of ${name}`, name, {
            ...{ step: "point-ssh-api-server", title: `Point the API server of ${name} to etcd` },
            deadlineMs: STARTING_MS,
            changes: [`Restarts the API server of ${name}, if the members of etcd have changed`],
          }),
        ),
        ...retired.map(({ node }) =>
          one(`Member ${node}`, node, {
            ...{ step: "retire-ssh-etcd", title: `End etcd on ${node}`, deadlineMs: STARTING_MS },
            changes: [`Takes ${node} out of the database, and its data away`],
          }),
        ),
      ],
    },
  ];
}

/**
 * Members get the etcd of a new version before the API servers do, one at a time. One that does not answer stops the
 * upgrade there; one that is no member yet begins with the new version.
 */
export function upgradeDatabase(spec: ClusterSpec, version: string, machines: readonly SeenMachine[]): readonly Task[] {
  if (!hasSeparateEtcd(spec)) return [];
  const isSilent = ({ name }: DeclaredNode) =>
    machines.some(({ declared, node, stage }) => declared && node === name && stage === "unreachable");
  const members = membersAmong(spec, machines);
  const concerned = etcdNodesOf(spec).filter((node) => members.includes(node) || isSilent(node));
  return concerned.map(({ name }) =>
    one(`etcd on ${name}`, name, {
      ...{ step: "change-ssh-etcd", title: `Change etcd on ${name}`, input: { version }, deadlineMs: STARTING_MS },
      changes: [`Runs etcd of ${version} on ${name}`],
    }),
  );
}

/** What is not as declared about the members. */
export function findWrongMembers(spec: ClusterSpec, machines: readonly SeenMachine[]): readonly string[] {
  if (!hasSeparateEtcd(spec)) return [];
  return sshPart(spec).nodes.flatMap(({ name, roles }) => {
    const machine = machines.find(({ declared, node }) => declared && node === name);
    if (machine === undefined || !["member", "complete"].includes(machine.stage)) return [];
    if (roles.includes("etcd") && !machine.etcdMember) return [`${name} has no etcd`];
    return !roles.includes("etcd") && machine.etcdMember ? [`${name} still has etcd`] : [];
  });
}
