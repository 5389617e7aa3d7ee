import { fieldsAt, textAt } from "../../domain/json-fields.ts";
import type { Connector } from "../../ports/connector.ts";
import { KubernetesError } from "../../ports/kubernetes-api.ts";
import type { CredentialProgram } from "./destination.ts";

export interface Credentials {
  readonly token: string | null;
  readonly cert: Buffer | null;
  readonly key: Buffer | null;
  /** Milliseconds since 1970; null when they do not end by themselves. */
  readonly endsAt: number | null;
}

const DEADLINE_MS = 20_000;

/**
 * Runs the program that a kubeconfig names, without a shell and without anything of Drover's environment, and takes what
 * it prints for credentials. Whoever calls this has found it to be allowed.
 */
export async function runCredentialProgram(
  connector: Pick<Connector, "run">,
  program: CredentialProgram,
  signal: AbortSignal,
): Promise<Credentials> {
  const { argv, apiVersion, environment, cluster } = program;
  const info = {
    apiVersion,
    kind: "ExecCredential",
    spec: { interactive: false, ...(cluster === null ? {} : { cluster }) },
  };
  const result = await connector
    .run(
      { argv, environment: { ...environment, KUBERNETES_EXEC_INFO: JSON.stringify(info) } },
      { signal, deadlineMs: DEADLINE_MS },
    )
    .catch((error: unknown) => {
      signal.throwIfAborted();
      throw noCredentials(argv[0], error instanceof Error ? error.message : String(error), error);
    });
  if (result.exitCode !== 0) throw noCredentials(argv[0], `it ended with ${result.exitCode ?? result.signal}.`);
  return readAnswer(argv[0], result.stdout);
}

/** Its output is never quoted: it may hold the very credentials. */
function noCredentials(program: string, why: string, cause?: unknown): KubernetesError {
  const message = `The program ${program} of the kubeconfig gave no credentials: ${why}`;
  return new KubernetesError("unreachable", message, null, { cause });
}

function readAnswer(program: string, output: string): Credentials {
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch {
    throw noCredentials(program, "what it printed is not JSON.");
  }
  const status = fieldsAt(answer, "status");
  const pem = (name: string) => {
    const text = textAt(status, name);
    return text === null ? null : Buffer.from(text);
  };
  const [token, cert, key] = [textAt(status, "token"), pem("clientCertificateData"), pem("clientKeyData")];
  if (token === null && cert === null) throw noCredentials(program, "it printed neither a token nor a certificate.");
  const ends = Date.parse(textAt(status, "expirationTimestamp") ?? "");
  return { token, cert, key, endsAt: Number.isNaN(ends) ? null : ends };
}
