import { type ClusterSpec, DroverError } from "@drover/contract";
import { runOrThrow } from "../../../ports/connector.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { type Artifact, type Artifacts, openArtifacts } from "../artifacts.ts";
import { baseName } from "../bill-of-materials.ts";
import { sshPart } from "../declared.ts";
import type { SshHost } from "../host.ts";
import { INCOMING_FOLDER, STATE_FOLDER } from "../machine-paths.ts";
import { NOTE_AS_FOUND } from "../scripts/note-as-found.ts";
import type { Script } from "../scripts/script.ts";
import { machineOf, putText, runScript } from "./on-machine.ts";

const PREFIX = "/usr/local";
const RUNC = `${PREFIX}/sbin/runc`;
const UNIT = "/etc/systemd/system/containerd.service";

const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: "amd64", aarch64: "arm64" };

/** The container runtime from the artifacts, onto a machine that has none. */
export function installSshContainerd(host: SshHost): Step {
  return {
    name: "install-ssh-containerd",
    precheck: async (context) => {
      const [said] = await runAll(await machineOf(context), [{ argv: ["containerd", "--version"] }], {
        signal: context.signal,
      });
      return said?.exitCode === 0;
    },
    run: (context) => {
      const text = `Install containerd and runc on ${context.step.host}`;
      return context.change(context.step.host, text, () => install(host, context));
    },
  };
}

async function install(host: SshHost, context: StepContext): Promise<void> {
  const machine = await machineOf(context);
  const { signal } = context;
  const artifacts = await openArtifacts(host, context);
  const { stdout: processor } = await runOrThrow(machine, { argv: ["uname", "-m"] }, { signal });
  const { archive, runc } = runtimeFiles(artifacts, context.cluster.spec, {
    node: context.step.host,
    processor: processor.trim(),
  });
  await machine.run({ argv: ["mkdir", "-p", INCOMING_FOLDER] }, { signal });
  const [archivePath, runcPath] = [archive, runc].map((file) => `${INCOMING_FOLDER}/${baseName(file)}`) as [
    string,
    string,
  ];
  await host.spread.send(context, {
    machine,
    files: [
      { from: await artifacts.at(archive), to: archivePath, sha256: archive.sha256 },
      { from: await artifacts.at(runc), to: runcPath, sha256: runc.sha256 },
    ],
    atOnce: 2,
  });
  const { stdout } = await runOrThrow(machine, { argv: ["tar", "-tzf", archivePath] }, { signal, keepBytes: 1 << 20 });
  const files = stdout
    .split("\n")
    .filter((line) => line !== "" && !line.endsWith("/"))
    .map((line) => `${PREFIX}/${line.replace(/^\.\//, "")}`);
  await runScript(context, NOTE_AS_FOUND, STATE_FOLDER, ...files, RUNC, UNIT);
  await putText(machine, UNIT, unitText(), 0o644);
  await runScript(context, UNPACK, archivePath, runcPath, PREFIX, RUNC);
  context.log(`${baseName(archive)} and ${baseName(runc)} are installed.`);
}

const UNPACK: Script = {
  name: "drover-unpack-containerd",
  text: `set -eu
archive=$1; brought=$2; prefix=$3; runc=$4
tar -C "$prefix" --no-same-owner -xzf "$archive"
mkdir -p "$(dirname "$runc")"
install -m 0755 -- "$brought" "$runc.new"
mv -T -- "$runc.new" "$runc"
rm -f -- "$archive" "$brought"
systemctl daemon-reload
`,
};

/** By the kind of the machine's processor, and by the version where the spec names one. */
export function runtimeFiles(
  artifacts: Artifacts,
  spec: ClusterSpec,
  { node, processor }: { readonly node: string; readonly processor: string },
): { readonly archive: Artifact; readonly runc: Artifact } {
  const architecture = ARCHITECTURES[processor];
  if (architecture === undefined) {
    throw new DroverError("program-missing", `There is no containerd for ${processor}: install it on ${node}.`);
  }
  const { version } = sshPart(spec).containerd;
  const named = version === undefined ? "containerd" : `containerd-${version}`;
  return {
    archive: artifacts.require(`containerd/${named}-linux-${architecture}.tar.gz`),
    runc: artifacts.require(`containerd/runc.${architecture}`),
  };
}

const unitText = (): string => `[Unit]
Description=containerd container runtime
After=network.target local-fs.target

[Service]
ExecStartPre=-/sbin/modprobe overlay
ExecStart=${PREFIX}/bin/containerd
Type=notify
Delegate=yes
KillMode=process
Restart=always
RestartSec=5
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
OOMScoreAdjust=-999

[Install]
WantedBy=multi-user.target
`;
