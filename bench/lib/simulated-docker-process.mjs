// A Docker daemon that holds so many clusters of kind, each with a Kubernetes API behind TLS, until it is killed.
// Runs with tsx: the daemon and the APIs are those of the tests. Arguments: how many, and a folder for what is made.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeDocker } from "../../drover/test/fake-docker/daemon.ts";
import { newId } from "../../drover/test/fake-docker/state.ts";
import { FakeKubernetes } from "../../drover/test/fake-kubernetes/fake-kubernetes.ts";

const [count, folder] = [Number(process.argv[2]), process.argv[3]];
const VERSION = "v1.34.4";
const PODS_PER_NODE = 5;
/** What a real API says of a node (with the images on it) and of a pod, most of which nobody here reads. */
const [NODE_BYTES, POD_BYTES] = [8_000, 5_000];

const daemon = new FakeDocker(join(folder, "docker.sock"), [`kindest/node:${VERSION}`]);
mkdirSync(join(folder, "kubeconfigs"));
const clusters = [];
for (let number = 0; number < count; number++) clusters.push(await addCluster(`c${number}`));
await daemon.start();
writeFileSync(join(folder, "clusters.part"), JSON.stringify(clusters));
renameSync(join(folder, "clusters.part"), join(folder, "clusters.json"));

async function addCluster(name) {
  const api = await FakeKubernetes.start({ version: VERSION });
  const nodes = [`${name}-control-plane`, `${name}-worker`, `${name}-worker2`];
  for (const node of nodes) addNode(api.objects, node);
  const kubeconfig = join(folder, "kubeconfigs", name);
  writeFileSync(kubeconfig, api.kubeconfig(), { mode: 0o600 });
  const cluster = { id: `id-of-${name}`, name, kubeconfig };
  for (const node of nodes) {
    const isControlPlane = node === nodes[0];
    const container = makeContainer(cluster, node, isControlPlane ? "control-plane" : "worker");
    if (isControlPlane) {
      container.files.set("/etc/kubernetes/admin.conf", Buffer.from(api.kubeconfig()));
      container.files.set("/etc/drover/mark.json", Buffer.from('{"stage":"complete","images":[]}'));
      const port = { IP: "127.0.0.1", PrivatePort: 6443, PublicPort: Number(new URL(api.server).port), Type: "tcp" };
      container.ports = [port];
    }
    daemon.state.containers.set(container.id, container);
  }
  return cluster;
}

function addNode(objects, node) {
  objects.addNode(node);
  const { status } = objects.find(`/api/v1/nodes/${node}`);
  status.images = [{ names: ["x".repeat(NODE_BYTES)], sizeBytes: 1 }];
  for (let number = 0; number < PODS_PER_NODE; number++) {
    const pod = `pod-${number}-of-${node}`;
    objects.addPod(pod, { namespace: "kube-system", node, requests: { cpu: "100m", memory: "64Mi" } });
    objects.find(`/api/v1/namespaces/kube-system/pods/${pod}`).metadata.managedFields = "x".repeat(POD_BYTES);
  }
}

function makeContainer(cluster, name, role) {
  return {
    ...{ id: newId(), name, image: `kindest/node:${VERSION}`, tty: true, bindings: {}, network: "bridge" },
    labels: { "io.x-k8s.kind.cluster": cluster.name, "io.x-k8s.kind.role": role },
    mounts: [
      { Type: "bind", Source: `${folder}/kind/job`, Destination: `/etc/drover/cluster/${cluster.id}`, RW: false },
      { Type: "bind", Source: "/lib/modules", Destination: "/lib/modules", RW: false },
      { Type: "volume", Name: newId(), Source: "", Destination: "/var", RW: true },
    ],
    ...{ created: Math.floor(Date.now() / 1_000), files: new Map(), log: [], state: "running", address: "172.18.0.2" },
    ports: [],
  };
}
