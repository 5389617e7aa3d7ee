import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeTempFolder } from "../temp-folder.ts";
import { sumOf } from "./fake-machine.ts";

const PROGRAMS = ["kubeadm", "kubelet", "kubectl", "crictl", "etcd", "etcdctl", "etcdutl"];
const IMAGES = ["kube-apiserver", "kube-proxy", "etcd", "coredns", "pause", "kube-vip"];

/** A folder like a real one, with a few letters in every file. */
export async function writeFakeArtifacts(versions: readonly string[]): Promise<string> {
  const folder = makeTempFolder("artifacts");
  const files: Record<string, string> = {
    "cni/bridge": "bridge",
    "debs/haproxy/haproxy_2.6_amd64.deb": "haproxy",
    "debs/keepalived/keepalived_2.2_amd64.deb": "keepalived",
    "manifests/flannel.yml": 'kind: ConfigMap\ndata:\n  net-conf.json: \'{"Network": "10.244.0.0/16"}\'\n',
  };
  for (const version of versions) {
    for (const name of PROGRAMS) files[`${version}/bin/${name}`] = `${name} ${version}`;
    for (const name of IMAGES) files[`${version}/images/${name}.tar`] = `${name} ${version}`;
    files[`${version}/images.list`] = "registry.k8s.io/pause:3.10\nexample.com/kube-vip:v1.0.0\n";
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  for (const version of versions) await writeFakeRelease(folder, version);
  const sums = Object.entries(files).map(([path, text]) => `${sumOf(text)}  ${path}\n`);
  await writeFile(join(folder, "SHA256SUMS"), sums.join(""));
  return folder;
}

/** A release of k3s, in a folder that is called as the tags of its images are. */
async function writeFakeRelease(folder: string, version: string): Promise<void> {
  const release = join(folder, `${version}-k3s1`);
  const files = { k3s: `k3s ${version}+k3s1`, "k3s-airgap-images-amd64.tar.zst": `images ${version}` };
  await mkdir(release);
  for (const [name, text] of Object.entries(files)) await writeFile(join(release, name), text);
  const sums = Object.entries(files).map(([name, text]) => `${sumOf(text)}  ${name}\n`);
  await writeFile(join(release, "sha256sum-amd64.txt"), sums.join(""));
}
