/** A version such as `v1.36.1`, `v1.36.1+k3s1` or `v1.37.0-rc.1`. */
export interface KubernetesVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly prerelease: string | null;
  /** What a distribution adds: `k3s1`. */
  readonly build: string | null;
}

const VERSION =
  /^v?(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:-([0-9A-Za-z.-]{1,64}))?(?:\+([0-9A-Za-z.-]{1,64}))?$/u;

/** Null when the text is no version. The leading `v` may be missing. */
export function parseKubernetesVersion(text: string): KubernetesVersion | null {
  const [, major, minor, patch, prerelease = null, build = null] = VERSION.exec(text) ?? [];
  if (major === undefined) return null;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), prerelease, build };
}

export function formatKubernetesVersion(version: KubernetesVersion): string {
  const prerelease = version.prerelease === null ? "" : `-${version.prerelease}`;
  const build = version.build === null ? "" : `+${version.build}`;
  return `v${version.major}.${version.minor}.${version.patch}${prerelease}${build}`;
}

/**
 * Negative when `left` is older. A prerelease is older than its release. Unlike in semantic versioning the build
 * counts, last of all: `+k3s2` is an upgrade of `+k3s1`.
 */
export function compareKubernetesVersions(left: KubernetesVersion, right: KubernetesVersion): number {
  return (
    left.major - right.major ||
    left.minor - right.minor ||
    left.patch - right.patch ||
    comparePrereleases(left.prerelease, right.prerelease) ||
    compareIdentifiers(left.build ?? "", right.build ?? "")
  );
}

export function isSameMinor(left: KubernetesVersion, right: KubernetesVersion): boolean {
  return left.major === right.major && left.minor === right.minor;
}

/** How many minors `newer` is ahead of `older`; null across majors, which cannot be counted. */
export function minorsBetween(older: KubernetesVersion, newer: KubernetesVersion): number | null {
  return older.major === newer.major ? newer.minor - older.minor : null;
}

function comparePrereleases(left: string | null, right: string | null): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const ours = left.split(".");
  const theirs = right.split(".");
  for (let index = 0; index < Math.min(ours.length, theirs.length); index += 1) {
    const difference = compareIdentifiers(ours[index] ?? "", theirs[index] ?? "");
    if (difference !== 0) return difference;
  }
  return ours.length - theirs.length;
}

/** Numbers by value and before words; runs of digits within words by value, so that `k3s10` follows `k3s9`. */
function compareIdentifiers(left: string, right: string): number {
  const ours = left.match(/\d+|\D+/gu) ?? [];
  const theirs = right.match(/\d+|\D+/gu) ?? [];
  for (let index = 0; index < Math.min(ours.length, theirs.length); index += 1) {
    const a = ours[index] ?? "";
    const b = theirs[index] ?? "";
    if (a === b) continue;
    const difference = Number(a) - Number(b);
    if (!Number.isNaN(difference) && difference !== 0) return difference;
    return a < b ? -1 : 1;
  }
  return ours.length - theirs.length;
}
