import type { ClusterSpec } from "@drover/contract";
import { CERTIFICATES_FOLDER, mirrorFile, type RegistryCredential } from "../../containers/registry-mirrors.ts";
import { sshPart } from "./declared.ts";
import { apiServerFiles } from "./kubeadm-config.ts";
import {
  API_SERVER_FOLDER,
  CONTAINERD_CONFIG,
  CONTAINERD_SOCKET,
  CRICTL_CONFIG,
  KUBELET_ARGUMENTS,
  KUBELET_UNIT,
  MODULES,
  MODULES_FILE,
  PROGRAM_FOLDER,
  SYSCTL_FILE,
  SYSCTLS,
} from "./machine-paths.ts";

export interface MachineFile {
  readonly path: string;
  readonly text: string;
  /** Only the owner may read it unless this says otherwise. */
  readonly mode: number;
}

export const PROXY_FILE = "/etc/systemd/system/containerd.service.d/drover-proxy.conf";
const READABLE = 0o644;

export interface MachineNeeds {
  readonly pauseImage: string;
  readonly controlPlane: boolean;
  /** Of containerd: settings have other names from 2 on. */
  readonly containerdMajor: number;
  /** A file with a proxy lies there: it says so when there is none any more. */
  readonly hadProxy?: boolean;
  /** By the host of the mirrored registry. */
  readonly credentials?: ReadonlyMap<string, RegistryCredential>;
}

/** Every file of a machine that is written as a whole. */
export function machineFiles(spec: ClusterSpec, needs: MachineNeeds): readonly MachineFile[] {
  const readable = (path: string, text: string): MachineFile => ({ path, text, mode: READABLE });
  const { registryMirrors = [] } = sshPart(spec);
  return [
    readable(MODULES_FILE, `${MODULES.join("\n")}\n`),
    readable(
      SYSCTL_FILE,
      Object.entries(SYSCTLS)
        .map(([name, value]) => `${name} = ${value}\n`)
        .join(""),
    ),
    readable(CONTAINERD_CONFIG, containerdConfig(spec, needs)),
    ...registryMirrors.map((mirror) => {
      const credential = needs.credentials?.get(mirror.host);
      const { path, content } = mirrorFile(mirror, credential);
      return { path, text: content, mode: credential === undefined ? READABLE : 0o600 };
    }),
    ...proxyFile(spec, needs.hadProxy === true),
    readable(CRICTL_CONFIG, `runtime-endpoint: ${CONTAINERD_SOCKET}\nimage-endpoint: ${CONTAINERD_SOCKET}\n`),
    readable(KUBELET_UNIT, KUBELET),
    readable(KUBELET_ARGUMENTS, kubeletArguments(spec)),
    ...(needs.controlPlane
      ? Object.entries(apiServerFiles(sshPart(spec))).map(([name, text]) => ({
          ...{ path: `${API_SERVER_FOLDER}/${name}`, text, mode: 0o600 },
        }))
      : []),
  ];
}

/** A change of these is noticed by containerd only when it starts. */
export const isForContainerd = ({ path }: MachineFile): boolean => path === CONTAINERD_CONFIG || path === PROXY_FILE;
/** And of these by the kubelet. */
export const isForKubelet = ({ path }: MachineFile): boolean => path === KUBELET_UNIT || path === KUBELET_ARGUMENTS;
/** It is read at every pull, and may not stay when it is declared no more. */
export const isMirror = ({ path }: MachineFile): boolean => path.startsWith(`${CERTIFICATES_FOLDER}/`);

/** As kubeadm's own packages bring it. */
const KUBELET = `[Unit]
Description=kubelet: The Kubernetes Node Agent
After=containerd.service network-online.target
Wants=network-online.target

[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
EnvironmentFile=-${KUBELET_ARGUMENTS}
ExecStart=${PROGRAM_FOLDER}/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
Restart=always
StartLimitInterval=0
RestartSec=2

[Install]
WantedBy=multi-user.target
`;

function kubeletArguments(spec: ClusterSpec): string {
  const { kubeletArgs = [] } = sshPart(spec);
  const words = kubeletArgs.map(({ name, value }) => `--${name}=${value}`).join(" ");
  return `KUBELET_EXTRA_ARGS="${words.replaceAll(/["\\$`]/g, "\\$&")}"\n`;
}

function containerdConfig(spec: ClusterSpec, { pauseImage, containerdMajor }: MachineNeeds): string {
  const { dataDirectory, patches = [] } = sshPart(spec).containerd;
  const isOld = containerdMajor < 2;
  const runtime = isOld ? "io.containerd.grpc.v1.cri" : "io.containerd.cri.v1.runtime";
  const images = isOld ? "io.containerd.grpc.v1.cri" : "io.containerd.cri.v1.images";
  const pause = isOld
    ? [`[plugins."${images}"]`, `  sandbox_image = ${JSON.stringify(pauseImage)}`]
    : [`[plugins."${images}".pinned_images]`, `  sandbox = ${JSON.stringify(pauseImage)}`];
  return [
    `version = ${isOld ? 2 : 3}`,
    ...(dataDirectory === undefined ? [] : [`root = ${JSON.stringify(dataDirectory)}`]),
    ...pause,
    `[plugins."${images}".registry]`,
    `  config_path = "${CERTIFICATES_FOLDER}"`,
    `[plugins."${runtime}".containerd.runtimes.runc]`,
    '  runtime_type = "io.containerd.runc.v2"',
    `  [plugins."${runtime}".containerd.runtimes.runc.options]`,
    "    SystemdCgroup = true",
    ...patches,
    "",
  ].join("\n");
}

function proxyFile(spec: ClusterSpec, hadProxy: boolean): readonly MachineFile[] {
  const { proxy } = sshPart(spec);
  const values = { HTTP_PROXY: proxy?.http, HTTPS_PROXY: proxy?.https, NO_PROXY: proxy?.no?.join(",") };
  const lines = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `Environment="${name}=${String(value).replaceAll("%", "%%")}"`);
  if (lines.length === 0 && !hadProxy) return [];
  return [{ path: PROXY_FILE, text: ["[Service]", ...lines, ""].join("\n"), mode: 0o600 }];
}
