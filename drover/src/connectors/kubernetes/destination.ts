import { X509Certificate } from "node:crypto";
import { type Fields, fieldsAt, listAt, textAt } from "../../domain/json-fields.ts";
import type { ContextParts } from "../../domain/kubeconfig.ts";
import { refuse } from "./read-target.ts";

/** A program that is run for credentials. */
export interface CredentialProgram {
  readonly argv: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  readonly apiVersion: string;
  /** What the program is told about the cluster; null when it does not ask. */
  readonly cluster: Fields | null;
}

/** Where requests go and with what, with every file read. */
export interface Destination {
  readonly server: URL;
  readonly proxy: URL | null;
  readonly tls: {
    readonly ca: Buffer | null;
    readonly cert: Buffer | null;
    readonly key: Buffer | null;
    readonly serverName: string | null;
    readonly verify: boolean;
  };
  readonly token: string | null;
  readonly tokenFile: string | null;
  readonly program: CredentialProgram | null;
  /** Sent with every request: basic credentials, impersonation. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly clientCertificateEnds: number | null;
  /** Whether something of it came from files, which others may change. */
  readonly fromFiles: boolean;
}

export type ReadFile = (path: string) => Promise<Buffer>;

/** The parts were checked: what is in them is allowed. */
export async function readDestination({ cluster, user }: ContextParts, readFile: ReadFile): Promise<Destination> {
  if (Object.hasOwn(user.fields, "auth-provider")) {
    throw refuse(
      "It uses an auth-provider, which Kubernetes itself no longer supports. Use a credential program (exec).",
    );
  }
  const server = urlOf(cluster.fields["server"], "server", ["https:", "http:"]);
  const material = async (fields: Fields, name: string) => await dataOrFile(fields, name, readFile);
  const cert = await material(user.fields, "client-certificate");
  return {
    server,
    proxy:
      cluster.fields["proxy-url"] == null ? null : urlOf(cluster.fields["proxy-url"], "proxy-url", ["http:", "https:"]),
    tls: {
      ca: await material(cluster.fields, "certificate-authority"),
      cert,
      key: await material(user.fields, "client-key"),
      serverName: textAt(cluster.fields, "tls-server-name"),
      verify: cluster.fields["insecure-skip-tls-verify"] !== true,
    },
    token: textAt(user.fields, "token"),
    tokenFile: textAt(user.fields, "tokenFile"),
    program: programOf(cluster.fields, user.fields),
    headers: headersOf(user.fields),
    clientCertificateEnds: cert === null ? null : endOfCertificate(cert),
    fromFiles: FILE_FIELDS.some((name) => textAt(user.fields, name) !== null || textAt(cluster.fields, name) !== null),
  };
}

const FILE_FIELDS = ["certificate-authority", "client-certificate", "client-key"];

function urlOf(value: unknown, name: string, protocols: readonly string[]): URL {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : null;
  if (url === null || !protocols.includes(url.protocol)) {
    throw refuse(`Its ${name} is no address that begins with ${protocols.map((one) => `${one}//`).join(" or ")}.`);
  }
  return url;
}

/** Inline data wins over a file, as with kubectl. */
async function dataOrFile(fields: Fields, name: string, readFile: ReadFile): Promise<Buffer | null> {
  const data = textAt(fields, `${name}-data`);
  if (data !== null) return Buffer.from(data, "base64");
  const path = textAt(fields, name);
  return path === null ? null : await readFile(path);
}

/** Null for what cannot be read: whoever connects with it gets the better complaint. */
export function endOfCertificate(pem: Buffer): number | null {
  try {
    const end = Date.parse(new X509Certificate(pem).validTo);
    return Number.isNaN(end) ? null : end;
  } catch {
    return null;
  }
}

function headersOf(user: Fields): Destination["headers"] {
  const [name, password] = [textAt(user, "username"), textAt(user, "password")];
  const as = textAt(user, "as");
  const groups = user["as-groups"];
  const uid = textAt(user, "as-uid");
  return {
    ...(name === null ? {} : { authorization: `Basic ${Buffer.from(`${name}:${password ?? ""}`).toString("base64")}` }),
    // Left out, requests would be made with more rights than the kubeconfig wants.
    ...(as === null ? {} : { "impersonate-user": as }),
    ...(Array.isArray(groups) && groups.length > 0 ? { "impersonate-group": groups.map(String) } : {}),
    ...(uid === null ? {} : { "impersonate-uid": uid }),
  };
}

function programOf(cluster: Fields, user: Fields): CredentialProgram | null {
  if (user["exec"] == null) return null;
  const command = textAt(user, "exec", "command");
  if (command === null) throw refuse("It names no program to run for credentials.");
  const { args } = fieldsAt(user, "exec");
  const variables = listAt(user, "exec", "env").flatMap((one) => {
    const name = textAt(one, "name");
    return name === null ? [] : [[name, textAt(one, "value") ?? ""] as const];
  });
  return {
    argv: [command, ...(Array.isArray(args) ? args.map(String) : [])],
    environment: Object.fromEntries(variables),
    apiVersion: textAt(user, "exec", "apiVersion") ?? "client.authentication.k8s.io/v1",
    cluster: fieldsAt(user, "exec")["provideClusterInfo"] === true ? cluster : null,
  };
}
