import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** Real certificates, made on the spot: an authority, and what it signs. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOrder {
  readonly commonName: string;
  readonly organization?: string;
  /** Addresses for which a server may show it. */
  readonly addresses?: readonly string[];
  /** Names for which a server may show it. */
  readonly names?: readonly string[];
  readonly endsAt?: number;
}

export class Authority {
  readonly cert: string;
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #name: string;

  constructor(name = "fake authority") {
    this.#name = name;
    this.cert = this.#issue({ commonName: name }, this.#keys.publicKey, true);
  }

  issue(order: CertificateOrder): Certificate {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    return { cert: this.#issue(order, publicKey, false), key };
  }

  #issue(order: CertificateOrder, publicKey: KeyObject, isAuthority: boolean): string {
    const endsAt = order.endsAt ?? Date.now() + 86_400_000;
    const algorithm = sequence(oid("2a8648ce3d040302"));
    const body = sequence(
      tag(0xa0, integer(Buffer.from([2]))),
      integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
      algorithm,
      nameOf({ commonName: this.#name }),
      sequence(time(Math.min(Date.now(), endsAt) - 3_600_000), time(endsAt)),
      nameOf(order),
      publicKey.export({ type: "spki", format: "der" }),
      tag(0xa3, sequence(...extensionsOf(order, isAuthority))),
    );
    const signature = sign("sha256", body, this.#keys.privateKey);
    const der = sequence(body, algorithm, tag(0x03, Buffer.concat([Buffer.from([0]), signature])));
    const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
    return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
  }
}

function extensionsOf(
  { addresses = [], names: hosts = [] }: CertificateOrder,
  isAuthority: boolean,
): readonly Buffer[] {
  const yes = tag(0x01, Buffer.from([0xff]));
  if (isAuthority) return [sequence(oid("551d13"), yes, tag(0x04, sequence(yes)))];
  if (addresses.length + hosts.length === 0) return [sequence(oid("551d13"), tag(0x04, sequence()))];
  const names = [
    ...hosts.map((host) => tag(0x82, Buffer.from(host))),
    ...addresses.map((address) => tag(0x87, Buffer.from(address.split(".").map(Number)))),
  ];
  return [sequence(oid("551d11"), tag(0x04, sequence(...names)))];
}

function nameOf({ commonName, organization }: Pick<CertificateOrder, "commonName" | "organization">): Buffer {
  const part = (id: string, text: string) => tag(0x31, sequence(oid(id), tag(0x0c, Buffer.from(text))));
  return sequence(...(organization === undefined ? [] : [part("55040a", organization)]), part("550403", commonName));
}

/** GeneralizedTime: 20260102030405Z. */
const time = (ms: number): Buffer =>
  tag(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));

const oid = (hex: string): Buffer => tag(0x06, Buffer.from(hex, "hex"));
const integer = (bytes: Buffer): Buffer => tag(0x02, bytes);
const sequence = (...parts: readonly Buffer[]): Buffer => tag(0x30, Buffer.concat(parts));

function tag(type: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([type, length]), content]);
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.from([type, 0x80 | bytes.length]), bytes, content]);
}
