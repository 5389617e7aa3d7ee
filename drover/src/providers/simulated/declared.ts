import { type ClusterSpec, SUPPORTED_KUBERNETES } from "@drover/contract";
import { canonicalJson } from "../../domain/canonical.ts";
import { sha256 } from "../../lib/sha256.ts";
import type { NodeRole, SimulatedSpec } from "./ledger.ts";

/** What a spec asks for, in the terms of the simulated cloud. Every name says that it is simulated. */
export interface DeclaredNode {
  readonly name: string;
  readonly role: NodeRole;
}

/** Taken where a spec names no version: the newest minor that can be declared. */
export const DEFAULT_VERSION = `v1.${SUPPORTED_KUBERNETES.newest}.0`;

export function simulatedPart(spec: ClusterSpec): SimulatedSpec {
  if (spec.simulated === undefined)
    throw new Error(`A cluster on ${spec.provider} was given to the simulated provider.`);
  return spec.simulated;
}

export function declaredNodes(clusterName: string, spec: ClusterSpec): readonly DeclaredNode[] {
  const { controlPlanes, workers } = simulatedPart(spec);
  return [...nodes(clusterName, "control-plane", controlPlanes), ...nodes(clusterName, "worker", workers)];
}

function nodes(clusterName: string, role: NodeRole, count: number): readonly DeclaredNode[] {
  return Array.from({ length: count }, (_, index) => ({ name: `simulated-${clusterName}-${role}-${index + 1}`, role }));
}

/** Specs are never changed once they are made. */
const digests = new WeakMap<ClusterSpec, string>();

/** What can be configured without touching a node, as a digest. */
export function settingsOf(spec: ClusterSpec): string {
  const known = digests.get(spec);
  if (known !== undefined) return known;
  const digest = sha256(canonicalJson(spec.networking ?? {})).slice(0, 16);
  digests.set(spec, digest);
  return digest;
}

export function endpointOf(clusterName: string): string {
  return `simulated://${clusterName}`;
}
