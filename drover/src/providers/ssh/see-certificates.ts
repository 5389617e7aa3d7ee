import { X509Certificate } from "node:crypto";
import type { CertificateSeen } from "../../domain/certificates.ts";
import type { LookOptions } from "../../ports/provider.ts";
import { controlPlanesOf, etcdNodesOf, hasSeparateEtcd } from "./declared.ts";
import { ACCESS, ACCESS_FOLDER, MEMBER_PKI } from "./etcd/database.ts";
import type { Seen, SshCluster, SshHost } from "./host.ts";
import { K3S_TLS } from "./k3s/k3s-paths.ts";
import { LOOK_DEADLINE_MS } from "./machine-look.ts";
import { argvOf, type Script } from "./scripts/script.ts";

/** Says which certificates lie on a control plane, or on a member of separate etcd. Private keys are not read. */
const LIST_CERTIFICATES: Script = {
  name: "drover-list-certificates",
  text: `for file in /etc/kubernetes/pki/*.crt /etc/kubernetes/pki/etcd/*.crt ${MEMBER_PKI}/*.crt ${ACCESS_FOLDER}/*.crt \\
  ${K3S_TLS}/*.crt ${K3S_TLS}/*/*.crt; do
  [ -e "$file" ] || continue
  printf '== %s\\n' "$file"
  cat "$file"
done
cd /etc/kubernetes || exit 0
for file in admin.conf super-admin.conf controller-manager.conf scheduler.conf; do
  [ -e "$file" ] || continue
  printf '== /etc/kubernetes/%s\\n' "$file"
  sed -n 's/^ *client-certificate-data: *//p' "$file" | base64 -d
done
`,
};

/**
 * Those of all control planes and members of separate etcd that were seen to be ours. One that says nothing now has none
 * in the list. They are read where somebody looks thoroughly; in between, what was read last still holds. Null before
 * the first time.
 */
export async function seeCertificates(
  host: SshHost,
  cluster: SshCluster,
  ours: readonly Seen[],
  { signal, thorough }: LookOptions,
): Promise<readonly CertificateSeen[] | null> {
  if (!thorough) return host.certificates.get(cluster.id) ?? null;
  const { spec } = cluster;
  const nodes = [...controlPlanesOf(spec), ...(hasSeparateEtcd(spec) ? etcdNodesOf(spec) : [])];
  const names = new Set(nodes.map(({ name }) => name));
  const asked = ours.filter(({ node }) => names.has(node));
  const lists = await Promise.all(asked.map(({ node }) => listOn(host, cluster, node, signal)));
  host.certificates.set(cluster.id, lists.flat());
  return lists.flat();
}

async function listOn(
  host: SshHost,
  cluster: SshCluster,
  node: string,
  signal: AbortSignal,
): Promise<readonly CertificateSeen[]> {
  try {
    const machine = await host.parts.machines.connect(cluster, node);
    const { stdout } = await machine.run(
      { argv: argvOf(LIST_CERTIFICATES) },
      { signal, deadlineMs: LOOK_DEADLINE_MS, keepBytes: 1 << 20 },
    );
    return readCertificateList(node, stdout);
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

export function readCertificateList(node: string, text: string): readonly CertificateSeen[] {
  return text
    .split(/^== /m)
    .slice(1)
    .flatMap((part) => {
      const end = part.indexOf("\n");
      const [path, pem] = [part.slice(0, end), part.slice(end + 1)];
      const certificate = parse(pem);
      if (certificate === null) return [];
      return [
        {
          ...{ node, name: nameOf(path), path, authority: certificate.ca, serial: certificate.serialNumber },
          endTime: new Date(certificate.validTo).toISOString(),
        },
      ];
    });
}

/** As kubeadm or k3s calls it, also where a database apart has it elsewhere. */
function nameOf(path: string): string {
  if (path === ACCESS.certificate) return "apiserver-etcd-client";
  const usual = path.replace(`${MEMBER_PKI}/`, "etcd/").replace(`${ACCESS_FOLDER}/`, "etcd/");
  return usual
    .replace(`${K3S_TLS}/`, "")
    .replace(/^\/etc\/kubernetes\/(pki\/)?/, "")
    .replace(/\.crt$/, "");
}

function parse(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}
