import { type ClusterSpec, DroverError } from "@drover/contract";
import type { Artifact, Artifacts } from "./artifacts.ts";
import { type DeclaredNode, isControlPlane, runsOwnEtcd } from "./declared.ts";
import { PLUGIN_FOLDER, PROGRAM_FOLDER } from "./machine-paths.ts";

/** A file that lies on a machine under its own name. */
export interface PlacedFile {
  readonly artifact: Artifact;
  readonly path: string;
}

export interface Materials {
  readonly programs: readonly PlacedFile[];
  /** Archives of images. */
  readonly images: readonly Artifact[];
}

/** What only control planes run. CoreDNS is not among them: it goes where there is room. */
const CONTROL_PLANE_IMAGES: ReadonlySet<string> = new Set([
  ...["kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd", "kube-vip"],
]);
const NODE_PROGRAMS = ["kubeadm", "kubelet", "crictl"];
/** For people who log in there, for the pod network, and for the database. */
const CONTROL_PLANE_PROGRAMS = ["kubectl", "etcdctl", "etcdutl"];
/** Of a database apart from the API servers. */
const DATABASE_PROGRAMS = ["etcd", "etcdctl", "etcdutl"];

/** Everything that a machine needs of one version, by what it is for. */
export function materialsFor(
  artifacts: Artifacts,
  version: string,
  { controlPlane, ownEtcd }: { readonly controlPlane: boolean; readonly ownEtcd: boolean },
): Materials {
  const program = (name: string): PlacedFile => ({
    artifact: artifacts.require(`${version}/bin/${name}`),
    path: `${PROGRAM_FOLDER}/${name}`,
  });
  return {
    programs: [
      ...NODE_PROGRAMS.map(program),
      ...(controlPlane ? CONTROL_PLANE_PROGRAMS : []).map(program),
      ...(ownEtcd ? DATABASE_PROGRAMS : []).map(program),
      ...artifacts.under("cni").map((artifact) => ({ artifact, path: `${PLUGIN_FOLDER}/${baseName(artifact)}` })),
    ],
    images: artifacts
      .under(`${version}/images`)
      .filter(({ path }) => path.endsWith(".tar"))
      .filter((image) => controlPlane || !CONTROL_PLANE_IMAGES.has(baseName(image).replace(/\.tar$/, ""))),
  };
}

/** What a node of the spec is for, as its materials go by. */
export const purposeOf = (spec: ClusterSpec, node: DeclaredNode) => ({
  controlPlane: isControlPlane(node),
  ownEtcd: runsOwnEtcd(spec, node),
});

export const baseName = ({ path }: Artifact): string => path.slice(path.lastIndexOf("/") + 1);

/** The image that holds the network of a pod, as kubeadm of this version names it. */
export const pauseImageOf = (artifacts: Artifacts, version: string): Promise<string> =>
  imageNamed(artifacts, version, "pause");

export async function kubeVipImageOf(artifacts: Artifacts, version: string): Promise<string> {
  artifacts.require(`${version}/images/kube-vip.tar`);
  return await imageNamed(artifacts, version, "kube-vip");
}

async function imageNamed(artifacts: Artifacts, version: string, name: string): Promise<string> {
  const list = artifacts.require(`${version}/images.list`);
  const image = (await artifacts.readText(list)).split("\n").find((line) => line.includes(`/${name}:`));
  if (image !== undefined) return image.trim();
  throw new DroverError("artifact-missing", `${list.path} among the artifacts names no ${name} image.`);
}
