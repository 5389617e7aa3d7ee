import type { KubernetesVersion } from "./kubernetes-version.ts";
import {
  compareKubernetesVersions,
  formatKubernetesVersion,
  isSameMinor,
  minorsBetween,
} from "./kubernetes-version.ts";

/** A kubelet may be this many minors behind its API server, never ahead. */
export const MAX_KUBELET_LAG = 3;

/** One part of a cluster at one version. */
export interface VersionedPart {
  readonly name: string;
  readonly version: KubernetesVersion;
}

export interface ClusterVersions {
  readonly apiServers: readonly VersionedPart[];
  readonly kubelets: readonly VersionedPart[];
  readonly kubectl?: KubernetesVersion;
}

export interface SkewProblem {
  readonly part: string;
  readonly message: string;
}

/** Everything that the version skew policy of Kubernetes forbids. Empty: the versions may run together. */
export function checkSkew(versions: ClusterVersions): readonly SkewProblem[] {
  const apiServers = [...versions.apiServers].sort((a, b) => compareKubernetesVersions(a.version, b.version));
  const oldest = apiServers[0];
  const newest = apiServers.at(-1);
  if (oldest === undefined || newest === undefined) return [];
  const problems: SkewProblem[] = [];
  const report = (part: string, rule: string): void => void problems.push({ part, message: `${part} ${rule}` });

  if (!isWithin(oldest.version, newest.version, 0, 1)) {
    const { name, version } = newest;
    report(
      name,
      `(API server ${show(version)}) is more than one minor ahead of ${oldest.name} (${show(oldest.version)}).`,
    );
  }
  for (const { name, version } of versions.kubelets) {
    if (isNewerMinor(version, oldest.version)) {
      report(name, `runs kubelet ${show(version)}, which is newer than API server ${show(oldest.version)}.`);
    } else if (!isWithin(version, newest.version, 0, MAX_KUBELET_LAG)) {
      report(
        name,
        `runs kubelet ${show(version)}, more than ${MAX_KUBELET_LAG} minors behind ${show(newest.version)}.`,
      );
    }
  }
  const { kubectl } = versions;
  if (kubectl && !apiServers.every(({ version }) => isWithin(version, kubectl, -1, 1))) {
    report("kubectl", `${show(kubectl)} is more than one minor away from an API server.`);
  }
  return problems;
}

/** kubeadm must be of the target's minor or one newer. */
export function mayUseKubeadm(kubeadm: KubernetesVersion, target: KubernetesVersion): boolean {
  return isWithin(target, kubeadm, 0, 1);
}

export type UpgradePath =
  | { readonly ok: true; readonly path: readonly KubernetesVersion[] }
  | {
      readonly ok: false;
      readonly reason: "downgrade" | "other-major" | "other-distribution" | "not-available";
      readonly message: string;
    };

/**
 * The versions to go through, the target last, never leaving out a minor; empty when there is nothing to do. In
 * between, the newest release of each minor that is available is taken; without a list, its first release.
 */
export function upgradePath(
  from: KubernetesVersion,
  to: KubernetesVersion,
  available?: readonly KubernetesVersion[],
): UpgradePath {
  const order = compareKubernetesVersions(from, to);
  if (order === 0) return { ok: true, path: [] };
  if (flavourOf(from) !== flavourOf(to)) {
    return refuse("other-distribution", from, to, "they are of different distributions");
  }
  if (order > 0) return refuse("downgrade", from, to, "Kubernetes cannot go back to an older version");
  if (from.major !== to.major) return refuse("other-major", from, to, "the major version differs");
  if (available && !available.some((one) => compareKubernetesVersions(one, to) === 0)) {
    return refuse("not-available", from, to, `${show(to)} is not among the available versions`);
  }
  const path: KubernetesVersion[] = [];
  for (let minor = from.minor + 1; minor < to.minor; minor += 1) {
    const between = chooseRelease(to, minor, available);
    if (between === null) {
      return refuse("not-available", from, to, `no release of v${to.major}.${minor} is available on the way`);
    }
    path.push(between);
  }
  return { ok: true, path: [...path, to] };
}

function chooseRelease(
  target: KubernetesVersion,
  minor: number,
  available: readonly KubernetesVersion[] | undefined,
): KubernetesVersion | null {
  const first = { ...target, minor, patch: 0, prerelease: null };
  if (!available) return first;
  const fitting = available.filter(
    (one) => one.prerelease === null && isSameMinor(one, first) && flavourOf(one) === flavourOf(target),
  );
  return fitting.sort(compareKubernetesVersions).at(-1) ?? null;
}

function refuse(
  reason: Exclude<UpgradePath, { ok: true }>["reason"],
  from: KubernetesVersion,
  to: KubernetesVersion,
  why: string,
): UpgradePath {
  return { ok: false, reason, message: `${show(from)} cannot become ${show(to)}: ${why}.` };
}

function isWithin(base: KubernetesVersion, other: KubernetesVersion, least: number, most: number): boolean {
  const minors = minorsBetween(base, other);
  return minors !== null && minors >= least && minors <= most;
}

function isNewerMinor(version: KubernetesVersion, than: KubernetesVersion): boolean {
  return version.major > than.major || (version.major === than.major && version.minor > than.minor);
}

/** `k3s1` and `k3s2` are one flavour; plain Kubernetes is another. */
function flavourOf(version: KubernetesVersion): string {
  return (version.build ?? "").replace(/\d+$/u, "");
}

function show(version: KubernetesVersion): string {
  return formatKubernetesVersion(version);
}
