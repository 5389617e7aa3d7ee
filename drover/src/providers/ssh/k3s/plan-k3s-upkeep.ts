import type { Module, StepUse } from "../../../domain/pipeline.ts";
import type { ProviderCluster, Upkeep } from "../../../ports/provider.ts";
import { controlPlanesOf, firstControlPlane, sshPart, workersOf } from "../declared.ts";
import { gateBefore, local, onEach } from "../plan-parts.ts";
import { gate, planBackup, planDrill, RENEW_MS, RESTORE_MS, TWICE } from "../upkeep-parts.ts";

/** Backups and certificates of a cluster of k3s: its servers have embedded etcd, all of them. */
export const k3sUpkeep: Upkeep = {
  backUp: ({ name }) => planBackup(name, "take-k3s-backup"),
  drill: ({ name }, backup) => planDrill(name, "drill-k3s-backup", backup),
  restore,
  renewCertificates,
};

function restore({ spec }: ProviderCluster, backup: string): readonly Module[] {
  const first = firstControlPlane(spec);
  const servers = controlPlanesOf(spec);
  const input = { backup };
  const step = (name: string, title: (node: string) => string, changes?: (node: string) => string) => {
    return (node: string): Omit<StepUse, "host"> => ({
      ...{ step: name, title: title(node), input, deadlineMs: RESTORE_MS, retry: TWICE },
      ...(changes === undefined ? {} : { changes: [changes(node)] }),
    });
  };
  const bring = step("bring-k3s-snapshot", (node) => `Bring the snapshot to ${node}`);
  const stop = step(
    "stop-k3s-server",
    (node) => `Stop ${node}`,
    (node) => `Stops k3s on ${node}; pods go on`,
  );
  const replace = step(
    "restore-k3s-database",
    (node) => `Restore the database on ${node}`,
    (node) => `Puts the backup in the place of the database on ${node}`,
  );
  const lost = (name: string, title: string, changes: string) =>
    step(
      `${name}-if-lost`,
      (node) => `${title} ${node}, if it was lost`,
      (node) => `${changes} ${node}, if it was emptied`,
    );
  const join = step(
    "join-k3s-node",
    (node) => `Join ${node}, if it was lost`,
    (node) => `Joins ${node}, unless it is a node already`,
  );
  const start = step("start-k3s-restored", (node) => `Start ${node}`);
  const refresh = step("refresh-k3s-agent", (node) => `Restart ${node}`);
  const clear = step("clear-ssh-restore", (node) => `Clear up on ${node}`);
  return [
    {
      title: "Prepare",
      tasks: [
        local("Check", { step: "check-ssh-backup", title: "Check the backup", input, deadlineMs: RESTORE_MS }),
        local("Safety", {
          ...{ step: "keep-k3s-state", title: "Keep what is there now", input },
          ...{ deadlineMs: RESTORE_MS, retry: TWICE },
        }),
        onEach("Snapshot", servers, bring),
      ],
    },
    {
      title: "Bring back what was lost",
      tasks: [
        onEach("Claim", servers, lost("claim-ssh-machine", "Claim", "Marks")),
        onEach("Settings", servers, lost("configure-k3s-node", "Configure", "Sets up")),
        onEach("Artifacts", servers, lost("bring-k3s-artifacts", "Equip", "Brings k3s and its images to")),
        onEach(
          "First server",
          [first],
          step(
            "refound-k3s-server",
            (node) => `Start ${node} from the backup, if no server is left`,
            (node) => `Starts a server on ${node} with the token and data of the backup, if none is left`,
          ),
        ),
      ],
    },
    {
      title: "Go back",
      tasks: [
        onEach("Stop", servers, stop),
        onEach("Database", servers, replace),
        ...servers.map((node) => onEach(`Server ${node.name}`, [node], start)),
        onEach("Agents", workersOf(spec), refresh),
      ],
    },
    {
      title: "Settle the cluster",
      tasks: [
        ...servers.map((node) => onEach(`Lost server ${node.name}`, [node], join)),
        gate("Nodes", "Wait for the nodes"),
        local("Strays", { step: "forget-ssh-strays", title: "Forget nodes that are gone" }),
        onEach("Clear", sshPart(spec).nodes, clear),
      ],
    },
  ];
}

function renewCertificates({ spec }: ProviderCluster): readonly Module[] {
  const renew = (name: string): Omit<StepUse, "host"> => ({
    ...{ step: "renew-k3s-certificates", title: `Renew the certificates on ${name}` },
    ...{ deadlineMs: RENEW_MS, retry: TWICE },
    changes: [`Restarts k3s on ${name}, which renews certificates that end soon`],
  });
  return [
    {
      title: "Renew the certificates",
      tasks: [
        // Servers whose certificates have expired say nothing, and renew them when they start.
        ...gateBefore("the renewal", controlPlanesOf(spec), { orSilent: true }),
        ...[...controlPlanesOf(spec), ...workersOf(spec)].flatMap((node) => [
          onEach(`Node ${node.name}`, [node], renew),
          gate(`Gate after ${node.name}`, `Wait for the nodes after ${node.name}`),
        ]),
      ],
    },
  ];
}
