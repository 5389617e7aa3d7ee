import { createHash } from "node:crypto";
import type { HostKey } from "../../ports/ssh-target.ts";

export type { HostKey } from "../../ports/ssh-target.ts";

/** Every way of signing that we accept, by the type of key it is made with, best first. */
const SIGNATURES: Readonly<Record<string, readonly string[]>> = {
  "ssh-ed25519": ["ssh-ed25519"],
  "ecdsa-sha2-nistp256": ["ecdsa-sha2-nistp256"],
  "ecdsa-sha2-nistp384": ["ecdsa-sha2-nistp384"],
  "ecdsa-sha2-nistp521": ["ecdsa-sha2-nistp521"],
  "ssh-rsa": ["rsa-sha2-512", "rsa-sha2-256"],
};

/** Reads `ssh-ed25519 AAAA…`, with or without a comment behind it. */
export function parseHostKey(line: string): HostKey {
  const [type = "", key = ""] = line.trim().split(/\s+/);
  const blob = Buffer.from(key, "base64");
  if (!Object.hasOwn(SIGNATURES, type) || blob.toString("base64") !== key || readType(blob) !== type) {
    throw new TypeError(
      "This is no public host key. It should look like “ssh-ed25519 AAAA…”; take it from /etc/ssh/ssh_host_*_key.pub.",
    );
  }
  return { type, key };
}

export function readHostKey(blob: Buffer): HostKey {
  return { type: readType(blob), key: blob.toString("base64") };
}

export const formatHostKey = ({ type, key }: HostKey): string => `${type} ${key}`;

/** As `ssh-keygen -l` prints it. */
export function fingerprintOf({ key }: HostKey): string {
  const digest = createHash("sha256").update(Buffer.from(key, "base64")).digest("base64");
  return `SHA256:${digest.replace(/=+$/, "")}`;
}

export const isSameKey = (one: HostKey, other: HostKey): boolean => one.type === other.type && one.key === other.key;

/**
 * What to ask a host to prove itself with: the types that are pinned first, so that a host with several keys shows the
 * one that we know. The others follow, as a host that has lost that key must be seen to have another.
 */
export function listSignatures(pinned: readonly string[]): string[] {
  const types = new Set([...pinned, ...Object.keys(SIGNATURES)]);
  return [...types].flatMap((type) => SIGNATURES[type] ?? []);
}

/** The types that a host was not asked for first, with which it may be known as well. */
export function otherTypes(asked: readonly string[] = []): readonly string[] {
  const [best] = Object.keys(SIGNATURES);
  return Object.keys(SIGNATURES).filter((type) => type !== (asked[0] ?? best));
}

function readType(blob: Buffer): string {
  if (blob.length < 4) return "";
  const length = blob.readUInt32BE(0);
  return length > 64 ? "" : blob.toString("latin1", 4, 4 + length);
}
