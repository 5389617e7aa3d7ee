import { DroverError } from "@drover/contract";
import { mayStopMember } from "../../../domain/quorum.ts";
import { sha256 } from "../../../lib/sha256.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { StepContext } from "../../../ports/step.ts";
import { sleep } from "../../../ports/timer.ts";
import { etcdNodesOf, nodeNamed, versionOf } from "../declared.ts";
import type { SshHost } from "../host.ts";
import { memberConfig } from "../kubeadm-config.ts";
import { ETCD_FOLDER, ETCD_NOTE, ETCD_UNIT, ETCD_UNIT_PATH, PROGRAM_FOLDER, STATE_FOLDER } from "../machine-paths.ts";
import { machineOf, putText, runScript } from "../steps/on-machine.ts";
import { isGood, isIssuedBy } from "./certificates.ts";
import { databaseUnit, dataMarkOf, ETCD_PROGRAM, MEMBER_PKI, memberNames } from "./database.ts";
import { findOtherMember, isHealthy, judgeMembers, listMembers } from "./members.ts";
import { MAKE_CERTIFICATES, START_DATABASE } from "./scripts.ts";

/** With which settings and which program it was last started. */
export const STARTED_WITH = `${STATE_FOLDER}/etcd-started-with`;
const CERTIFICATE_CONFIG = `${STATE_FOLDER}/etcd-certificates.yaml`;
const PAUSE_MS = 1_000;
const ROUNDS = 60;

export interface DatabaseState {
  /** It was a full member once, and has not left since. */
  readonly wasMember: boolean;
  /** The data are those with which it became one. */
  readonly hasData: boolean;
  readonly hasGoodCertificates: boolean;
  readonly runsAsDeclared: boolean;
  /** The SHA-256 of the program that runs; empty when it never did. */
  readonly program: string;
}

const unitOf = ({ cluster, step }: StepContext): string =>
  databaseUnit(cluster.spec, nodeNamed(cluster.spec, step.host));

export async function surveyDatabase(host: SshHost, context: StepContext): Promise<DatabaseState> {
  const { cluster, step, signal } = context;
  const [note, data, started, unit, active, ca, server, peer] = await runAll(
    await machineOf(context),
    [
      { argv: ["test", "-e", ETCD_NOTE] },
      { argv: ["test", "-e", dataMarkOf(cluster.spec)] },
      { argv: ["cat", STARTED_WITH] },
      { argv: ["cat", ETCD_UNIT_PATH] },
      { argv: ["systemctl", "is-active", ETCD_UNIT] },
      ...["ca", "server", "peer"].map((name) => ({ argv: ["cat", `${MEMBER_PKI}/${name}.crt`] as [string, string] })),
    ],
    { signal },
  );
  const names = memberNames(nodeNamed(cluster.spec, step.host));
  const [stamp = "", program = ""] = (started?.stdout ?? "").split(" ");
  const wanted = unitOf(context);
  return {
    wasMember: note?.exitCode === 0,
    hasData: data?.exitCode === 0,
    hasGoodCertificates: [server, peer].every(
      (one) =>
        isGood(one?.stdout ?? "", names, host.parts.clock.now()) && isIssuedBy(one?.stdout ?? "", ca?.stdout ?? ""),
    ),
    runsAsDeclared: unit?.stdout === wanted && stamp === sha256(wanted) && active?.stdout.trim() === "active",
    program,
  };
}

/** The authority is made only where a database begins. */
export async function makeCertificates(context: StepContext, when: "begin" | "" = ""): Promise<void> {
  const { spec } = context.cluster;
  const node = nodeNamed(spec, context.step.host);
  await putText(
    await machineOf(context),
    CERTIFICATE_CONFIG,
    memberConfig(spec, node, `${ETCD_FOLDER}/new`, versionOf(spec)),
  );
  await runScript(context, MAKE_CERTIFICATES, ETCD_FOLDER, `${PROGRAM_FOLDER}/kubeadm`, CERTIFICATE_CONFIG, when);
}

/** Starts etcd, or starts it anew where its settings or its program have changed. */
export async function startDatabase(context: StepContext): Promise<void> {
  const unit = unitOf(context);
  await putText(await machineOf(context), ETCD_UNIT_PATH, unit, 0o644);
  await runScript(context, START_DATABASE, sha256(unit), STARTED_WITH, ETCD_UNIT, ETCD_PROGRAM);
}

/** A member is stopped only while the others can do without it; a single one has nobody to wait for. */
export async function assertMayStop(host: SshHost, context: StepContext): Promise<void> {
  const { cluster, step } = context;
  if (etcdNodesOf(cluster.spec).length === 1) return;
  const other = await findOtherMember(host, context, step.host);
  if (other === null) return;
  const members = await judgeMembers(other, context, await listMembers(other, context));
  if (!members.some(({ name }) => name === step.host)) return;
  const verdict = mayStopMember(members, step.host);
  if (!verdict.allowed) throw new DroverError("quorum-at-risk", verdict.message);
}

/** Until the member answers with the word of the majority. */
export async function waitUntilHealthy(host: SshHost, context: StepContext): Promise<void> {
  const machine = await machineOf(context);
  for (let round = 0; round < ROUNDS; round += 1) {
    if (await isHealthy(machine, context)) return;
    await sleep(host.parts.timer, PAUSE_MS, context.signal);
    context.signal.throwIfAborted();
  }
  const [journal] = await runAll(
    machine,
    [{ argv: ["journalctl", "-q", "--no-pager", "-n", "5", "-o", "cat", "-u", ETCD_UNIT] }],
    { signal: context.signal },
  );
  throw new DroverError(
    "step-failed",
    `etcd on ${context.step.host} does not become healthy; it says: ${journal?.stdout.trim() || "nothing"}`,
  );
}
