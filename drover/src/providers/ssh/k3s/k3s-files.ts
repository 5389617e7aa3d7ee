import type { ClusterSpec } from "@drover/contract";
import { readCredential } from "../../../containers/read-secret.ts";
import type { RegistryCredential } from "../../../containers/registry-mirrors.ts";
import { sha256 } from "../../../lib/sha256.ts";
import type { StepContext } from "../../../ports/step.ts";
import { type DeclaredNode, isControlPlane, nodeNamed, sshPart } from "../declared.ts";
import { apiServerFiles } from "../kubeadm-config.ts";
import type { MachineFile } from "../machine-files.ts";
import { environmentText, k3sConfig, k3sRegistries } from "./k3s-config.ts";
import {
  environmentFileOf,
  K3S_API_SERVER_FOLDER,
  K3S_CONFIG,
  K3S_PROGRAM,
  K3S_REGISTRIES,
  secretsFileOf,
  unitFileOf,
} from "./k3s-paths.ts";

/** The files of the machine that a step acts on. Secrets that the spec names are read, and masked from here on. */
export async function k3sFilesFor(context: StepContext): Promise<readonly MachineFile[]> {
  const { spec } = context.cluster;
  const credentials = new Map<string, RegistryCredential>();
  for (const { host, credential } of sshPart(spec).registryMirrors ?? []) {
    if (credential !== undefined) credentials.set(host, await readCredential(context, credential));
  }
  return k3sFiles(spec, nodeNamed(spec, context.step.host), credentials);
}

/** Every file of a machine that is written as a whole. All of them are always there, so that none is left over. */
export function k3sFiles(
  spec: ClusterSpec,
  node: DeclaredNode,
  credentials: ReadonlyMap<string, RegistryCredential>,
): readonly MachineFile[] {
  const isServer = isControlPlane(node);
  const { proxy } = sshPart(spec);
  const secret = (path: string, text: string): MachineFile => ({ path, text, mode: 0o600 });
  const variables = { HTTP_PROXY: proxy?.http, HTTPS_PROXY: proxy?.https, NO_PROXY: proxy?.no?.join(",") };
  return [
    secret(K3S_CONFIG, k3sConfig(spec, node)),
    secret(K3S_REGISTRIES, k3sRegistries(sshPart(spec), credentials)),
    secret(environmentFileOf(isServer), environmentText(variables)),
    { path: unitFileOf(isServer), text: unitText(isServer), mode: 0o644 },
    ...(isServer
      ? Object.entries(apiServerFiles(sshPart(spec))).map(([name, text]) =>
          secret(`${K3S_API_SERVER_FOLDER}/${name}`, text),
        )
      : []),
  ];
}

/** By this it is known whether k3s runs with these files, or was only given them. */
export const sumOfFiles = (files: readonly MachineFile[]): string =>
  sha256(files.map(({ path, text }) => `${path}\0${text}`).join("\0"));

/** As k3s's installer writes it. */
const unitText = (isServer: boolean): string => `[Unit]
Description=Lightweight Kubernetes
Documentation=https://k3s.io
Wants=network-online.target
After=network-online.target

[Install]
WantedBy=multi-user.target

[Service]
Type=${isServer ? "notify" : "exec"}
EnvironmentFile=-${environmentFileOf(isServer)}
EnvironmentFile=-${secretsFileOf(isServer)}
KillMode=process
Delegate=yes
LimitNOFILE=1048576
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
TimeoutStartSec=0
Restart=always
RestartSec=5s
ExecStartPre=-/sbin/modprobe br_netfilter
ExecStartPre=-/sbin/modprobe overlay
ExecStart=${K3S_PROGRAM} ${isServer ? "server" : "agent"}
`;
