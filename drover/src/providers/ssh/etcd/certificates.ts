import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";

/** Made anew when this share of its life is over. */
const RENEWED_AFTER = 2 / 3;

/** Whether a certificate says who somebody is, to all these names, for a while yet. */
export function isGood(pem: string, names: readonly string[], now: number): boolean {
  const certificate = read(pem);
  if (certificate === null) return false;
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (now > from + (to - from) * RENEWED_AFTER) return false;
  return names.every((name) =>
    isIP(name) === 0 ? certificate.checkHost(name) !== undefined : certificate.checkIP(name) !== undefined,
  );
}

export function isIssuedBy(pem: string, authority: string): boolean {
  const [certificate, issuer] = [read(pem), read(authority)];
  return certificate !== null && issuer !== null && certificate.verify(issuer.publicKey);
}

function read(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}
