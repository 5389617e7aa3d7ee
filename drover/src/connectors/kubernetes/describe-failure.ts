import { KubernetesError } from "../../ports/kubernetes-api.ts";

/** What kept a request from being answered, in words. `lateMs`: it was given up after that long. */
export function describeFailure(server: URL, error: unknown, lateMs: number | null): KubernetesError {
  const why = lateMs === null ? wordsFor(error) : `it did not answer within ${lateMs / 1000} s`;
  return new KubernetesError("unreachable", `${server.origin} cannot be used: ${why}.`, null, { cause: error });
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut off",
  EHOSTUNREACH: "there is no way to that host",
  ENETUNREACH: "there is no way to that network",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name cannot be looked up now",
  ETIMEDOUT: "it does not answer",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not signed by the authority of the kubeconfig",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not signed by the authority of the kubeconfig",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not signed by the authority of the kubeconfig",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is not signed by the authority of the kubeconfig",
  CERT_SIGNATURE_FAILURE: "its certificate is not signed by the authority of the kubeconfig",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

function wordsFor(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const known = code === undefined ? undefined : WORDS[code];
  if (known !== undefined) return known;
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0]?.replace(/\.$/, "") ?? "";
}
