import { readConfiguration } from "../../src/providers/ssh/encryption/configuration.ts";
import type { FakeCluster, FakeClusters } from "./fake-clusters.ts";
import { type FakeMachine, ok, type Program } from "./fake-machine.ts";

const MANIFEST = "/etc/kubernetes/manifests/kube-apiserver.yaml";
const FLAG = "--encryption-provider-config=";
const PLAIN = "identity";

/** The argument of the API server, where the configuration of kubeadm has it. */
export const encryptionArgument = (config: string): string => {
  const [, path] = /name: encryption-provider-config\n\s*value: (\S+)/.exec(config) ?? [];
  return path === undefined ? "" : `- ${FLAG}${path}\n`;
};

/** Keys are read when the API server starts, and then no more. */
export function startApiServer(cluster: FakeCluster | undefined, { files, host }: FakeMachine): void {
  const manifest = files.get(MANIFEST);
  if (cluster === undefined || manifest === undefined) return;
  const [, path] = new RegExp(`${FLAG}(\\S+)`).exec(manifest) ?? [];
  const text = path === undefined ? null : files.get(path);
  if (text === undefined) throw new Error(`The API server of ${host} does not start: there is no ${path}.`);
  cluster.apiServers.set(host, text === null ? [PLAIN] : readConfiguration(text).order);
}

export const prefixOf = (writtenWith: string): string =>
  writtenWith === PLAIN ? "k8s." : `k8s:enc:secretbox:v1:${writtenWith}:`;

/** What the database says of the Secrets in it. */
export const countWritten =
  (clusters: FakeClusters): Program =>
  ([text = ""], { host }) => {
    const secrets = [...(clusters.clusterOf(host)?.secrets.values() ?? [])];
    const found = secrets.filter(({ writtenWith }) => prefixOf(writtenWith).startsWith(text));
    return ok(`${secrets.length} ${found.length}\n`);
  };

/** Of the cluster's API, as far as it is about Secrets; undefined for other paths. */
export function getSecrets({ secrets }: FakeCluster, path: string): unknown {
  const show = (id: string) => ({ metadata: { namespace: id.split("/")[0], name: id.split("/")[1] } });
  if (path.startsWith("/api/v1/secrets")) return { items: [...secrets.keys()].map(show) };
  if (path.includes("/secrets?fieldSelector=type%3Dbootstrap.kubernetes.io%2Ftoken")) {
    return { items: [...secrets].flatMap(([id, { isToken }]) => (isToken === true ? [show(id)] : [])) };
  }
  const id = secretIn(path);
  if (id === null) return undefined;
  return secrets.has(id) ? show(id) : null;
}

/** Written by whichever API server is asked: here always the one that was told last. */
export function writeSecret({ secrets, apiServers }: FakeCluster, id: string): void {
  const [writtenWith = PLAIN] = [...apiServers.values()].at(-1) ?? [];
  secrets.set(id, { ...secrets.get(id), writtenWith });
}

export function secretIn(path: string): string | null {
  const [, namespace, name] = /^\/api\/v1\/namespaces\/([^/]+)\/secrets\/([^/?]+)$/.exec(path) ?? [];
  return namespace === undefined || name === undefined ? null : `${namespace}/${name}`;
}

const MARK = "secret ";

/** Secrets among the names in a snapshot. */
export const secretsIn = ({ secrets }: FakeCluster): readonly string[] =>
  [...secrets].map(([id, { writtenWith }]) => `${MARK}${id} ${writtenWith}`);

export function loadSecrets({ secrets }: FakeCluster, content: readonly string[]): void {
  secrets.clear();
  for (const line of content) {
    const [mark, id = "", writtenWith = ""] = line.split(" ");
    if (`${mark} ` === MARK) secrets.set(id, { writtenWith });
  }
}

export const isNamespace = (line: string): boolean => !line.startsWith(MARK);
