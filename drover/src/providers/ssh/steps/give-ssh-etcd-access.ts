import { DroverError } from "@drover/contract";
import { runOrThrow } from "../../../ports/connector.ts";
import type { RemoteMachine } from "../../../ports/machines.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { nodeNamed, versionOf } from "../declared.ts";
import { isGood, isIssuedBy } from "../etcd/certificates.ts";
import { ACCESS, ACCESS_FOLDER, MEMBER_PKI } from "../etcd/database.ts";
import { findOtherMember } from "../etcd/members.ts";
import { MAKE_ACCESS } from "../etcd/scripts.ts";
import type { SshHost } from "../host.ts";
import { memberConfig } from "../kubeadm-config.ts";
import { ETCD_FOLDER, PROGRAM_FOLDER } from "../machine-paths.ts";
import { argvOf } from "../scripts/script.ts";
import { machineOf, putText } from "./on-machine.ts";

/** What the API server of a control plane asks the database with. A member makes it; the key of the authority stays there. */
export function giveSshEtcdAccess(host: SshHost): Step {
  return {
    name: "give-ssh-etcd-access",
    precheck: (context) => hasAccess(host, context),
    run: (context) => {
      const text = `Let the API server of ${context.step.host} ask etcd`;
      return context.change(context.step.host, text, () => give(host, context));
    },
  };
}

async function hasAccess(host: SshHost, context: StepContext): Promise<boolean> {
  const { signal } = context;
  const [authority, certificate, key] = await runAll(
    await machineOf(context),
    [{ argv: ["cat", ACCESS.authority] }, { argv: ["cat", ACCESS.certificate] }, { argv: ["test", "-s", ACCESS.key] }],
    { signal },
  );
  const member = await requireMember(host, context);
  const [current] = await runAll(member, [{ argv: ["cat", `${MEMBER_PKI}/ca.crt`] }], { signal });
  return (
    key?.exitCode === 0 &&
    authority?.stdout === current?.stdout &&
    isIssuedBy(certificate?.stdout ?? "", authority?.stdout ?? "") &&
    isGood(certificate?.stdout ?? "", [], host.parts.clock.now())
  );
}

async function requireMember(host: SshHost, context: StepContext): Promise<RemoteMachine> {
  const member = await findOtherMember(host, context, context.step.host);
  if (member !== null) return member;
  throw new DroverError("cluster-not-ready", `No member of the database of ${context.cluster.name} can be asked now.`);
}

/** The key passes through memory and is kept nowhere but on the control plane. */
async function give(host: SshHost, context: StepContext): Promise<void> {
  const { cluster, step, signal } = context;
  const member = await requireMember(host, context);
  const made = `${ETCD_FOLDER}/access-for-${step.host}`;
  const config = `${made}.yaml`;
  await putText(
    member,
    config,
    memberConfig(cluster.spec, nodeNamed(cluster.spec, step.host), made, versionOf(cluster.spec)),
  );
  const argv = argvOf(MAKE_ACCESS, ETCD_FOLDER, `${PROGRAM_FOLDER}/kubeadm`, config, made);
  await runOrThrow(member, { argv }, { signal, tied: true });
  const machine = await machineOf(context);
  await machine.run({ argv: ["mkdir", "-p", "-m", "700", ACCESS_FOLDER] }, { signal });
  const files = [
    ["etcd/ca.crt", ACCESS.authority],
    ["apiserver-etcd-client.key", ACCESS.key],
    ["apiserver-etcd-client.crt", ACCESS.certificate],
  ] as const;
  for (const [from, to] of files) await machine.put(to, await member.get(`${made}/${from}`), { mode: 0o600 });
  await runOrThrow(member, { argv: ["rm", "-rf", made, config] }, { signal });
}
