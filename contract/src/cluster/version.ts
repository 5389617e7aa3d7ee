/** Minors of Kubernetes 1 that Drover makes and upgrades. */
export interface SupportedVersions {
  readonly oldest: number;
  readonly newest: number;
}

/** From the first with kubeadm's v1beta4 configuration to the newest that kind has images for. */
export const SUPPORTED_KUBERNETES: SupportedVersions = { oldest: 31, newest: 36 };

/** The minor of a version that the schema accepted: 34 of v1.34.4+k3s1. */
export function minorOf(version: string): number {
  return Number(version.split(".")[1]);
}

export function isK3sVersion(version: string): boolean {
  return version.includes("+k3s");
}
