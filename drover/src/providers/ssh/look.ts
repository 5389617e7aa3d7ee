import { askHealth } from "../../containers/api-health.ts";
import { describeEnding } from "../../domain/certificates.ts";
import { healthWithoutAnswer, type KubernetesHealth } from "../../domain/kubernetes-health.ts";
import type { NodeSeen } from "../../domain/node-seen.ts";
import { absentSighting, type Drift, type Sighting, unseen } from "../../domain/sighting.ts";
import type { LookOptions, ProviderCluster } from "../../ports/provider.ts";
import { controlPlanesOf, encryptsSecrets, serverOf, sshPart, versionOf } from "./declared.ts";
import { findWrongMembers } from "./etcd/plan-etcd.ts";
import { describeUnwellMembers } from "./etcd/see-members.ts";
import type { SshHost } from "./host.ts";
import { type KnownPlace, placeOf, type SeenPlace, seePlaces, trustMetKeys } from "./known-places.ts";
import { isLost } from "./lost-machines.ts";
import { seeCertificates } from "./see-certificates.ts";
import type { SeenMachine } from "./seen-machines.ts";

interface Places {
  readonly places: readonly SeenPlace[];
  /** Gone for good, as people say: nobody asks them, but the ledger still has them. */
  readonly lost: readonly KnownPlace[];
}

/**
 * What there is of a cluster. Only machines that the ledger has are asked: on others nothing was ever done. One that does
 * not answer is not taken for empty.
 */
export async function lookAtSsh(host: SshHost, cluster: ProviderCluster, options: LookOptions): Promise<Sighting> {
  try {
    options.signal.throwIfAborted();
    const known = await host.parts.machines.known(cluster.id);
    if (known.length === 0) return absentSighting("No machine was ever claimed for it.");
    const asked = known.filter((row) => !isLost(cluster, row));
    const lost = known.filter((row) => isLost(cluster, row)).map((row) => placeOf(cluster, row));
    const trusting = await trustMetKeys(host, cluster, asked);
    const places = await seePlaces(host, trusting, asked, options.signal);
    options.signal.throwIfAborted();
    return await describe(host, trusting.cluster, { places, lost }, options);
  } catch (error) {
    return unseen(error instanceof Error ? error.message : String(error));
  }
}

async function describe(
  host: SshHost,
  cluster: ProviderCluster,
  { places, lost }: Places,
  options: LookOptions,
): Promise<Sighting> {
  const seen = places.flatMap((place) => (place.moved ? [] : [place.seen]));
  const silent = seen.flatMap((one) => ("unreachable" in one ? [one] : []));
  const ours = seen.filter((one) => "look" in one && one.look.mark?.clusterId === cluster.id);
  const why = silent.map(({ unreachable }) => unreachable).join(" ");
  if (ours.length === 0 && (silent.length > 0 || lost.length === 0)) {
    return silent.length > 0 ? unseen(why) : absentSighting("None of its machines carries its mark any more.");
  }
  const target = await host.targetAmong(cluster, seen, options.signal);
  const server = serverOf(cluster.spec);
  const health =
    target === null
      ? healthWithoutAnswer(server, "No control plane can be asked.")
      : await askHealth(host.parts.kubernetes, target, server, options);
  const members = await describeUnwellMembers(host, cluster, seen, options.signal);
  const certificates = await seeCertificates(host, cluster, ours, options);
  const listed = [...places.map((place) => describeMachine(place, cluster.id)), ...lost.map(describeLost)];
  const isWhole = listed.some(({ stage }) => stage === "complete");
  return {
    ...health,
    presence: "present",
    complete: isWhole,
    nodesTotal: Math.max(health.nodesTotal, sshPart(cluster.spec).nodes.length),
    drift: isWhole ? [...findDrift(cluster, listed, health), ...findUnpinned(places)] : [],
    message: [isWhole ? "" : "It was cut off while it was made.", health.message, members, why]
      .filter((text) => text !== "")
      .join(" "),
    ...(certificates === null ? {} : { endingCertificates: describeEnding(certificates, host.parts.clock.now()) }),
    body: {
      ...health.body,
      ...(certificates === null ? {} : { certificatesOnNodes: certificates.map((one) => ({ ...one })) }),
      machines: listed.map((machine) => ({ ...machine })),
    },
  };
}

function describeMachine({ host, node, declared, moved, seen }: SeenPlace, clusterId: string): SeenMachine {
  const place = { host, node, declared };
  const nothing = { etcdMember: false, encrypts: false };
  if (moved) return { ...place, stage: "moved", ...nothing };
  if ("unreachable" in seen) return { ...place, stage: "unreachable", ...nothing };
  const { mark, etcdMember, encrypts } = seen.look;
  if (mark?.clusterId !== clusterId) return { ...place, stage: "free", ...nothing };
  return { ...place, stage: mark.stage, etcdMember, encrypts };
}

const describeLost = ({ host, node, declared }: KnownPlace): SeenMachine => ({
  ...{ host, node, declared },
  ...{ stage: "lost", etcdMember: false, encrypts: false },
});

/** Steps reach a machine only where the ledger has its key. */
function findUnpinned(places: readonly SeenPlace[]): readonly Drift[] {
  const found = places.filter(({ unpinned }) => unpinned);
  if (found.length === 0) return [];
  const before = found.map(({ node, row }) => `${node} was at ${row.address}:${row.port}`).join(", ");
  return [{ path: "spec.ssh.nodes", desired: "reached at other places", actual: before }];
}

function findDrift(
  { spec }: ProviderCluster,
  machines: readonly SeenMachine[],
  health: KubernetesHealth,
): readonly Drift[] {
  const wanted = sshPart(spec).nodes;
  const nodes = (Array.isArray(health.body["nodes"]) ? health.body["nodes"] : []) as unknown as readonly NodeSeen[];
  const asked = health.reachable === true;
  const missing = wanted.filter(({ name }) => {
    const machine = machines.find((one) => one.declared && one.node === name);
    const isLost = machine === undefined || machine.stage === "free" || machine.stage === "claimed";
    return isLost || (asked && !nodes.some((node) => node.name === name));
  });
  const surplus = machines.filter(({ declared, stage }) => !declared && !["free", "moved"].includes(stage));
  const wrong = [
    ...missing.map(({ name }) => `${name} is missing`),
    ...surplus.map(({ node }) => `${node} is too many`),
    ...findWrongMembers(spec, machines),
  ];
  return [
    ...(wrong.length === 0
      ? []
      : [
          { path: "spec.ssh.nodes", desired: String(wanted.length), actual: `${machines.length}: ${wrong.join(", ")}` },
        ]),
    ...encryptionDrift(spec, machines),
    ...versionDrift(versionOf(spec), health.kubernetesVersion, asked ? nodes : []),
  ];
}

/** Only what is seen counts: of a control plane that says nothing now nobody knows. */
function encryptionDrift(spec: ProviderCluster["spec"], machines: readonly SeenMachine[]): readonly Drift[] {
  const desired = encryptsSecrets(spec);
  const names = new Set(controlPlanesOf(spec).map(({ name }) => name));
  const unlike = machines.filter(
    ({ declared, node, stage, encrypts }) =>
      declared && names.has(node) && stage === "complete" && encrypts !== desired,
  );
  if (unlike.length === 0) return [];
  const actual = unlike.map(({ node }) => `${node} ${desired ? "does not" : "does"}`).join(", ");
  return [{ path: "spec.ssh.apiServer.encryptSecrets", desired: String(desired), actual }];
}

function versionDrift(desired: string, actual: string | null, nodes: readonly NodeSeen[]): readonly Drift[] {
  const path = "spec.kubernetes.version";
  if (actual !== null && actual !== desired) return [{ path, desired, actual }];
  const behind = nodes.filter(({ version }) => version !== null && version !== desired);
  if (behind.length === 0) return [];
  return [{ path, desired, actual: behind.map(({ name, version }) => `${name} ${version}`).join(", ") }];
}
