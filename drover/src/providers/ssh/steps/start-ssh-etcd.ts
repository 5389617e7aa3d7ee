import { DroverError } from "@drover/contract";
import { mayAddMember } from "../../../domain/quorum.ts";
import { runOrThrow } from "../../../ports/connector.ts";
import type { RemoteMachine } from "../../../ports/machines.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { controlPlanesOf, etcdNodesOf, nodeNamed } from "../declared.ts";
import { BEGINNING, beginning, dataMarkOf, dataOf, MEMBER_PKI, peerUrl } from "../etcd/database.ts";
import {
  dropMember,
  etcdctl,
  findOtherMember,
  isHealthy,
  judgeMembers,
  listMembers,
  type Member,
  patiently,
} from "../etcd/members.ts";
import {
  assertMayStop,
  makeCertificates,
  startDatabase,
  surveyDatabase,
  waitUntilHealthy,
} from "../etcd/run-database.ts";
import type { SshHost } from "../host.ts";
import { ETCD_FOLDER, ETCD_NOTE, ETCD_UNIT, ETCD_UNIT_PATH, STATE_FOLDER } from "../machine-paths.ts";
import { NOTE_AS_FOUND } from "../scripts/note-as-found.ts";
import { machineOf, putText, runScript } from "./on-machine.ts";

/**
 * A member of the database that runs apart from the API servers. The first one begins alone; every other one is let in
 * without a vote, gets the data, and is then given its vote, so that one that fails on the way costs no majority.
 */
export function startSshEtcd(host: SshHost): Step {
  return {
    name: "start-ssh-etcd",
    precheck: async (context) => {
      const { wasMember, hasData, hasGoodCertificates, runsAsDeclared } = await surveyDatabase(host, context);
      const isWhole = wasMember && hasData && hasGoodCertificates && runsAsDeclared;
      return isWhole && (await isHealthy(await machineOf(context), context));
    },
    run: (context) => {
      const { step, cluster } = context;
      return context.change(step.host, `Run etcd of ${cluster.name} on ${step.host}`, () => start(host, context));
    },
  };
}

async function start(host: SshHost, context: StepContext): Promise<void> {
  const { cluster, step, signal } = context;
  const machine = await machineOf(context);
  const state = await surveyDatabase(host, context);
  await runScript(context, NOTE_AS_FOUND, STATE_FOLDER, `unit:${ETCD_UNIT}`, ETCD_UNIT_PATH, dataOf(cluster.spec));
  await machine.run({ argv: ["mkdir", "-p", "-m", "700", ETCD_FOLDER, MEMBER_PKI] }, { signal });
  // Other data with which it is well somebody has put there on purpose.
  const isMember = state.wasMember && (state.hasData || (await isHealthy(machine, context)));
  if (isMember) {
    if (!state.hasGoodCertificates) await makeCertificates(context);
    if (!state.runsAsDeclared) await assertMayStop(host, context);
    await startDatabase(context);
  } else {
    const other = await findOtherMember(host, context, step.host);
    if (other === null) await begin(host, context);
    else await join(host, context, other, state.wasMember);
  }
  await waitUntilHealthy(host, context);
  // From here on it never begins by itself again: one that has lost its data has to be let in anew.
  const own = nodeNamed(cluster.spec, step.host);
  const alone = [{ name: own.name, peerUrl: peerUrl(own) }];
  if (!isMember) await putText(machine, BEGINNING, beginning(cluster.id, alone, "existing"));
  await putText(machine, dataMarkOf(cluster.spec), `${cluster.id}\n`);
  await putText(machine, ETCD_NOTE, `${cluster.id}\n`);
}

/** A database begins once, on one machine. */
async function begin(host: SshHost, context: StepContext): Promise<void> {
  const { cluster, step } = context;
  const node = nodeNamed(cluster.spec, step.host);
  await assertNothingIsLost(host, context);
  await makeCertificates(context, "begin");
  const alone = [{ name: node.name, peerUrl: peerUrl(node) }];
  await putText(await machineOf(context), BEGINNING, beginning(cluster.id, alone, "new"));
  await startDatabase(context);
}

/** Where another member may be, or API servers have written already, an empty database would be the end of the cluster. */
async function assertNothingIsLost(host: SshHost, { cluster, step, signal }: StepContext): Promise<void> {
  const known = new Set((await host.parts.machines.known(cluster.id)).map(({ node }) => node));
  const names = [...etcdNodesOf(cluster.spec), ...controlPlanesOf(cluster.spec)].flatMap(({ name }) =>
    name !== step.host && known.has(name) ? [name] : [],
  );
  for (const one of await host.seeAll(cluster, names, signal)) {
    if ("unreachable" in one) throw new DroverError("machine-unreachable", one.unreachable);
    const { mark, adminConfig } = one.look;
    if (mark?.clusterId !== cluster.id || mark.stage === "claimed" || adminConfig === null) continue;
    throw new DroverError(
      "quorum-at-risk",
      `No member of the database of ${cluster.name} is left, and ${one.node} still asks it: nothing is begun anew on ${step.host}. Bring a member back, or delete the cluster.`,
    );
  }
}

async function join(host: SshHost, context: StepContext, other: RemoteMachine, lostData: boolean): Promise<void> {
  const { cluster, step, signal } = context;
  const machine = await machineOf(context);
  await takeAuthority(machine, other);
  await makeCertificates(context);
  const added = await announce(host, context, other, lostData);
  const members = await listMembers(other, context);
  const all = members.flatMap((member) =>
    member.peerUrls.map((url) => ({ name: member.id === added.id ? step.host : member.name, peerUrl: url })),
  );
  await putText(machine, BEGINNING, beginning(cluster.id, all, "existing"));
  await startDatabase(context);
  if (!added.learner) return;
  context.log(`${step.host} gets the data of the others, and then its vote.`);
  const argv = etcdctl(cluster.spec, "member", "promote", added.id);
  await patiently(host, context, () => runOrThrow(other, { argv }, { signal }));
}

/** The key is written last: who has it has the whole authority. It passes through memory and is kept nowhere. */
async function takeAuthority(machine: RemoteMachine, other: RemoteMachine): Promise<void> {
  for (const name of ["ca.crt", "ca.key"]) {
    const content = await other.get(`${MEMBER_PKI}/${name}`);
    await machine.put(`${MEMBER_PKI}/${name}`, content, { mode: 0o600 });
  }
}

/** The place among the members. One from before whose data are gone with its machine is given up first. */
async function announce(host: SshHost, context: StepContext, other: RemoteMachine, lostData: boolean): Promise<Member> {
  const { cluster, step, signal } = context;
  const own = peerUrl(nodeNamed(cluster.spec, step.host));
  const data = `${dataOf(cluster.spec)}/member`;
  const machine = await machineOf(context);
  const members = await listMembers(other, context);
  const known = members.find(({ name, peerUrls }) => name === step.host || peerUrls.includes(own));
  const [found] = await runAll(machine, [{ argv: ["test", "-e", data] }], { signal });
  const isUnstarted = known?.name === "";
  const isSame = known?.peerUrls.includes(own) === true;
  if (known !== undefined && isSame && (isUnstarted || (found?.exitCode === 0 && !lostData))) return known;
  if (known !== undefined) await dropMember(host, context, other, members, { ...known, name: known.name || step.host });
  // Whoever was announced and never came would keep others out.
  const strays = members.filter(({ name, learner }) => learner && name === "");
  for (const stray of strays) if (stray !== known) await dropMember(host, context, other, members, stray);
  const left = members.filter((member) => member !== known && !strays.includes(member));
  const verdict = mayAddMember(await judgeMembers(other, context, left));
  if (!verdict.allowed) throw new DroverError("quorum-at-risk", verdict.message);
  await machine.run({ argv: ["systemctl", "stop", ETCD_UNIT] }, { signal });
  await runOrThrow(machine, { argv: ["rm", "-rf", "--one-file-system", data] }, { signal });
  const argv = etcdctl(cluster.spec, "member", "add", step.host, "--learner", "--peer-urls", own);
  await patiently(host, context, () => runOrThrow(other, { argv }, { signal }));
  const added = (await listMembers(other, context)).find(({ peerUrls }) => peerUrls.includes(own));
  if (added !== undefined) return added;
  throw new DroverError("step-failed", `etcd took ${step.host} in, and does not list it.`);
}
