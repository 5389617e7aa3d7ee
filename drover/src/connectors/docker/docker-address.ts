import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EngineError } from "../../ports/container-engine.ts";

/** Where a Docker engine listens, as node:http wants it. */
export type DockerAddress =
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number; readonly tls: TlsFiles | null };

/** What both sides prove themselves with. */
export interface TlsFiles {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface AddressSettings {
  /** As in `DOCKER_HOST`. */
  readonly host: string;
  /** As in `DOCKER_CERT_PATH`; null where the engine is asked without TLS. */
  readonly certificates: string | null;
}

const PORTS = { plain: 2375, tls: 2376 } as const;

/** Reads what Docker's own tools read. Throws an `EngineError`, as an address that cannot be used reaches nobody. */
export function readDockerAddress({ host, certificates }: AddressSettings): DockerAddress {
  if (host.startsWith("unix://")) return { kind: "socket", path: host.slice("unix://".length) };
  const url = /^(tcp|http|https):\/\//.test(host) && URL.canParse(host) ? new URL(host) : null;
  if (url === null) throw new EngineError("unreachable", `"${host}" is no address of Docker. ${NEXT}`);
  const tls = certificates === null ? null : readTlsFiles(certificates);
  const port = url.port === "" ? PORTS[tls === null ? "plain" : "tls"] : Number(url.port);
  return { kind: "tcp", host: url.hostname.replace(/^\[|\]$/g, ""), port, tls };
}

const NEXT = "Write it as unix:///var/run/docker.sock or tcp://127.0.0.1:2375.";

function readTlsFiles(folder: string): TlsFiles {
  try {
    const read = (name: string): Buffer => readFileSync(join(folder, name));
    return { ca: read("ca.pem"), cert: read("cert.pem"), key: read("key.pem") };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError("unreachable", `The certificates for Docker cannot be read: ${why}`, { cause });
  }
}
