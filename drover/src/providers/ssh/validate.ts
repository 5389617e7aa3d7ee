import { type ClusterSpec, makeProblem, type Problem } from "@drover/contract";
import { minorsBetween, parseKubernetesVersion } from "../../domain/kubernetes-version.ts";
import { API_SERVER_PORT } from "./endpoint.ts";
import { validateK3s } from "./k3s/validate-k3s.ts";
import { readPatches } from "./kubeadm-config.ts";
import { validateArtifacts } from "./validate-artifacts.ts";

/** From this minor on kubeadm reads the configuration that is written for it. */
const OLDEST_MINOR = 31;

const isOwnEncryption = ({ name }: { readonly name: string }): boolean => name === "encryption-provider-config";

/** What cannot be brought about on machines of a spec that the contract accepts. */
export function validateSsh(spec: ClusterSpec): readonly Problem[] {
  const { ssh } = spec;
  if (ssh === undefined) {
    return [makeProblem("spec.ssh", "provider-block-missing", "The machines of the cluster are missing.")];
  }
  const unsupported = (path: string, message: string): Problem => makeProblem(path, "field-unsupported", message);
  return [
    ...(ssh.artifacts === undefined
      ? [unsupported("spec.ssh.artifacts", "Programs and images come from artifacts: say where they lie.")]
      : []),
    ...validateArtifacts(ssh.artifacts),
    ...(ssh.access.sudo.mode === "none" && ssh.access.user !== "root"
      ? [
          unsupported(
            "spec.ssh.access.sudo.mode",
            "Only root can install Kubernetes: let the user become root by sudo, or log in as root.",
          ),
        ]
      : []),
    ...(ssh.endpoint.type === "kube-vip" && ssh.endpoint.port !== API_SERVER_PORT
      ? [
          unsupported(
            "spec.ssh.endpoint.port",
            `kube-vip gives the address to the API servers themselves, which listen on ${API_SERVER_PORT}: leave the port out.`,
          ),
        ]
      : []),
    ...(ssh.endpoint.type === "haproxy" && ssh.endpoint.port === API_SERVER_PORT
      ? [
          unsupported(
            "spec.ssh.endpoint.port",
            `HAProxy runs beside the API servers, which listen on ${API_SERVER_PORT}: take another port, such as 8443.`,
          ),
        ]
      : []),
    ...(ssh.apiServer?.encryptSecrets === true && (ssh.apiServer.extraArgs ?? []).some(isOwnEncryption)
      ? [
          unsupported(
            "spec.ssh.apiServer.extraArgs",
            "encryption-provider-config is Drover's where it encrypts Secrets: leave the argument out, or encryptSecrets.",
          ),
        ]
      : []),
    ...(ssh.distribution === "k3s" ? validateK3s(spec) : checkVersion(spec)),
    ...(ssh.backup?.destination.credential?.key === undefined
      ? []
      : [
          unsupported(
            "spec.ssh.backup.destination.credential.key",
            "The whole secret is read: name it alone, and give it the entries accessKeyId and secretAccessKey.",
          ),
        ]),
    ...checkPatches(ssh.kubeadmPatches ?? []),
  ];
}

function checkVersion({ kubernetes }: ClusterSpec): readonly Problem[] {
  const version = parseKubernetesVersion(kubernetes?.version ?? "");
  if (version === null) return [];
  const behind = minorsBetween(version, { ...version, minor: OLDEST_MINOR });
  if (behind === null || behind <= 0) return [];
  const message = `kubeadm is driven from v1.${OLDEST_MINOR} on; ${kubernetes?.version} is older.`;
  return [makeProblem("spec.kubernetes.version", "version-unsupported", message)];
}

function checkPatches(patches: readonly string[]): readonly Problem[] {
  return patches.flatMap((patch, index) => {
    if (readPatches(patch).length > 0) return [];
    const message = "A patch says with `kind` which document of the kubeadm configuration it is for.";
    return [makeProblem(`spec.ssh.kubeadmPatches[${index}]`, "field-unsupported", message)];
  });
}
