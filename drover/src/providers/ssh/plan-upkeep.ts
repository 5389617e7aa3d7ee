import type { Module, StepUse, Task } from "../../domain/pipeline.ts";
import type { JsonObject } from "../../domain/plan.ts";
import type { ProviderCluster, Upkeep } from "../../ports/provider.ts";
import { controlPlanesOf, etcdNodesOf, firstControlPlane, hasSeparateEtcd, sshPart } from "./declared.ts";
import { hasOwnEndpoint } from "./endpoint.ts";
import { planDatabase } from "./etcd/plan-etcd.ts";
import { writeAnew } from "./plan-encryption.ts";
import { kubeVipTasks, local, onEach } from "./plan-parts.ts";
import { gate, planBackup, planDrill, RENEW_MS, RESTORE_MS, TWICE } from "./upkeep-parts.ts";

/** Backups and certificates of a cluster of kubeadm. */
export const kubeadmUpkeep: Upkeep = {
  backUp: ({ name }) => planBackup(name, "take-ssh-backup"),
  drill: ({ name }, backup) => planDrill(name, "drill-ssh-backup", backup),
  restore,
  renewCertificates,
};

function restore({ spec }: ProviderCluster, backup: string): readonly Module[] {
  const controlPlanes = controlPlanesOf(spec);
  const members = etcdNodesOf(spec);
  const isApart = hasSeparateEtcd(spec);
  const { nodes } = sshPart(spec);
  const input: JsonObject = { backup };
  const step = (name: string, title: (node: string) => string, changes?: (node: string) => string) => {
    return (node: string): Omit<StepUse, "host"> => ({
      ...{ step: name, title: title(node), input, deadlineMs: RESTORE_MS, retry: TWICE },
      ...(changes === undefined ? {} : { changes: [changes(node)] }),
    });
  };
  const stop = step(
    "stop-ssh-etcd",
    (node) => `Stop the database on ${node}`,
    (node) => `Stops the database on ${node}`,
  );
  const wait = step("await-ssh-etcd", (node) => `Wait for the database on ${node}`);
  return [
    {
      title: "Prepare",
      tasks: [
        local("Check", { step: "check-ssh-backup", title: "Check the backup", input, deadlineMs: RESTORE_MS }),
        local("Keys", { step: "adopt-ssh-backup-keys", title: "Read the keys of the backup", input }),
        local("Safety", {
          ...{ step: "keep-ssh-state", title: "Keep what is there now", input },
          ...{ deadlineMs: RESTORE_MS, retry: TWICE },
        }),
        onEach(
          "Snapshot",
          members,
          step("bring-ssh-snapshot", (node) => `Bring the snapshot to ${node}`),
        ),
        onEach(
          "New database",
          members,
          step(
            "build-ssh-etcd",
            (node) => `Make a database of the snapshot on ${node}`,
            (node) => `Makes a database of the snapshot on ${node}, beside that of now`,
          ),
        ),
      ],
    },
    ...(isApart ? [] : [bringBack(spec, step)]),
    {
      title: "Go back",
      tasks: [
        onEach(
          "Stop",
          controlPlanes,
          step(
            "stop-ssh-control-plane",
            (node) => `Stop the control plane on ${node}`,
            (node) => `Stops the control plane on ${node}; pods go on`,
          ),
        ),
        ...(isApart ? [onEach("Stop the database", members, stop)] : []),
        onEach(
          "Database",
          members,
          step(
            "restore-ssh-etcd",
            (node) => `Restore the database on ${node}`,
            (node) => `Puts the backup in the place of the database on ${node}`,
          ),
        ),
        onEach(
          "Begin",
          members,
          step("begin-ssh-etcd", (node) => `Start the database on ${node}`),
        ),
        ...(isApart ? [onEach("Wait for the database", members, wait)] : []),
        onEach(
          "Start",
          controlPlanes,
          step("start-ssh-control-plane", (node) => `Start the control plane on ${node}`),
        ),
        onEach(
          "Kubelets",
          nodes,
          step("refresh-ssh-kubelet", (node) => `Restart the kubelet of ${node}`),
        ),
      ],
    },
    {
      title: "Settle the cluster",
      tasks: [
        ...controlPlanes.flatMap((node) => [
          onEach(
            `Control plane ${node.name}`,
            [node],
            step(
              "join-ssh-node",
              (name) => `Join ${name}, if it was lost`,
              (name) => `Joins ${name}, unless it is a node already`,
            ),
          ),
          ...kubeVipTasks(spec, [node]),
        ]),
        gate("Nodes", "Wait for the nodes"),
        local("Strays", { step: "forget-ssh-strays", title: "Forget nodes that are gone" }),
        ...writeAnew(spec),
        onEach(
          "Clear",
          nodes,
          step("clear-ssh-restore", (node) => `Clear up on ${node}`),
        ),
      ],
    },
  ];
}

type RestoreStep = (
  name: string,
  title: (node: string) => string,
  changes?: (node: string) => string,
) => (node: string) => Omit<StepUse, "host">;

/** Control planes whose machines were emptied. Where none is left, the first one begins with the keys and data of the backup. */
function bringBack(spec: ProviderCluster["spec"], step: RestoreStep): Module {
  const all = controlPlanesOf(spec);
  const lost = (title: string, name: string, changes: (node: string) => string): Task =>
    onEach(
      title,
      all,
      step(name, (node) => `${title} of ${node}, if it was lost`, changes),
    );
  return {
    title: "Bring back what was lost",
    tasks: [
      lost("Claim", "claim-ssh-machine-if-lost", (node) => `Marks ${node} again, if it was emptied`),
      ...(sshPart(spec).containerd.install
        ? [
            lost(
              "Container runtime",
              "install-ssh-containerd-if-lost",
              (node) => `Installs containerd on ${node}, if it was emptied`,
            ),
          ]
        : []),
      lost("Settings", "prepare-ssh-machine-if-lost", (node) => `Sets up ${node}, if it was emptied`),
      lost(
        "Artifacts",
        "bring-ssh-artifacts-if-lost",
        (node) => `Brings programs and images to ${node}, if it was emptied`,
      ),
      ...(hasOwnEndpoint(spec)
        ? [
            lost(
              "Endpoint",
              "prepare-ssh-endpoint-if-lost",
              (node) => `Sets up the endpoint on ${node}, if it was emptied`,
            ),
          ]
        : []),
      onEach(
        "First control plane",
        [firstControlPlane(spec)],
        step(
          "refound-ssh-control-plane",
          (node) => `Start ${node} from the backup, if no control plane is left`,
          (node) => `Starts a control plane on ${node} with the keys and data of the backup, if none is left`,
        ),
      ),
    ],
  };
}

function renewCertificates({ spec }: ProviderCluster): readonly Module[] {
  return [
    // Its members renew what has spent most of its life before the API servers start anew.
    ...planDatabase(spec, []),
    {
      title: "Renew the certificates",
      tasks: [
        // All of them before the first restart: members of the database refuse each other with expired ones.
        onEach("Certificates", controlPlanesOf(spec), (name) => ({
          ...{ step: "issue-ssh-certificates", title: `Renew the certificates on ${name}` },
          ...{ deadlineMs: RENEW_MS, retry: TWICE },
          changes: [`Renews the certificates on ${name}`],
        })),
        ...controlPlanesOf(spec).flatMap((node) => [
          onEach(`Control plane ${node.name}`, [node], (name) => ({
            ...{ step: "renew-ssh-certificates", title: `Restart ${name} with new certificates` },
            ...{ deadlineMs: RENEW_MS, retry: TWICE },
            changes: [`Restarts the components of the control plane on ${name} one by one`],
          })),
          ...kubeVipTasks(spec, [node]),
          gate(`Gate after ${node.name}`, `Wait for the nodes after ${node.name}`),
        ]),
      ],
    },
  ];
}
