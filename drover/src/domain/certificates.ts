import { listAt } from "./json-fields.ts";

/** A certificate that lies on a control plane. */
export interface CertificateSeen {
  readonly node: string;
  /** As kubeadm or k3s calls it: `apiserver`, `etcd/server`, `admin.conf`; `serving-kube-apiserver`. */
  readonly name: string;
  readonly path: string;
  readonly authority: boolean;
  readonly serial: string;
  /** RFC 3339. */
  readonly endTime: string;
}

const DAY_MS = 86_400_000;
/** From here on it is said that a certificate ends. */
export const WARNING_DAYS = 30;

/** As they stand in the body of an observation, the next to end first. */
export function readCertificates(seen: unknown): readonly CertificateSeen[] {
  const listed = listAt(seen, "body", "certificatesOnNodes") as unknown as readonly CertificateSeen[];
  return [...listed].sort((one, other) => Date.parse(one.endTime) - Date.parse(other.endTime));
}

export const daysLeft = (endTime: string, now: number): number => Math.floor((Date.parse(endTime) - now) / DAY_MS);

/** Which end soon, in a sentence that stays the same from look to look; null when none does. */
export function describeEnding(certificates: readonly CertificateSeen[], now: number): string | null {
  const ending = certificates.filter(({ endTime }) => daysLeft(endTime, now) < WARNING_DAYS);
  if (ending.length === 0) return null;
  const first = ending.reduce((one, other) => (Date.parse(other.endTime) < Date.parse(one.endTime) ? other : one));
  const others = ending.length === 1 ? "" : `, and ${ending.length - 1} more end soon`;
  return `${first.name} on ${first.node} ends ${first.endTime.slice(0, 10)}${others}.`;
}
