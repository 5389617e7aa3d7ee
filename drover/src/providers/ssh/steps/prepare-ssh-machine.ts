import { DroverError } from "@drover/contract";
import { readCredential } from "../../../containers/read-secret.ts";
import type { RegistryCredential } from "../../../containers/registry-mirrors.ts";
import { sha256 } from "../../../lib/sha256.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { openArtifacts } from "../artifacts.ts";
import { pauseImageOf } from "../bill-of-materials.ts";
import { isControlPlane, nodeNamed, sshPart } from "../declared.ts";
import type { SshHost } from "../host.ts";
import { isForContainerd, isForKubelet, type MachineFile, machineFiles } from "../machine-files.ts";
import { MODULES, STATE_FOLDER, SYSCTL_FILE, SYSCTLS } from "../machine-paths.ts";
import { NOTE_AS_FOUND } from "../scripts/note-as-found.ts";
import { argvOf, type Script } from "../scripts/script.ts";
import { machineOf, putText, runScript, versionOfStep } from "./on-machine.ts";

/** Which configuration containerd was last started with, and which the kubelet. */
const STARTED_WITH = `${STATE_FOLDER}/containerd-started-with`;
const KUBELET_STARTED_WITH = `${STATE_FOLDER}/kubelet-started-with`;

/** Kernel, containerd and the kubelet's unit, as a node needs them. */
export function prepareSshMachine(host: SshHost): Step {
  return {
    name: "prepare-ssh-machine",
    precheck: async (context) => await isPrepared(context, await filesFor(host, context)),
    run: (context) =>
      context.change(context.step.host, `Prepare ${context.step.host}: kernel settings, containerd, kubelet`, () =>
        prepare(host, context),
      ),
  };
}

const APPLY: Script = {
  name: "drover-apply-settings",
  text: `set -eu
file=$1; started_with=$2; wanted=$3; kubelet_with=$4; kubelet_wanted=$5; shift 5
for module; do
  [ -d "/sys/module/$module" ] || modprobe "$module" 2>/dev/null || echo "The module $module cannot be loaded; going on, as it may be built in."
done
sysctl -q -p "$file"
systemctl daemon-reload
systemctl -q enable containerd kubelet
if [ "$(cat "$started_with" 2>/dev/null)" != "$wanted" ] || ! systemctl -q is-active containerd; then
  systemctl restart containerd
  printf '%s' "$wanted" > "$started_with"
fi
# Before it is a node, it starts with what there is.
if [ "$(cat "$kubelet_with" 2>/dev/null)" != "$kubelet_wanted" ]; then
  if systemctl -q is-active kubelet; then systemctl restart kubelet; fi
  printf '%s' "$kubelet_wanted" > "$kubelet_with"
fi
for round in 1 2 3 4 5 6 7 8 9 10; do
  ctr version >/dev/null 2>&1 && exit 0
  sleep 0.5
done
echo "containerd does not answer; see journalctl -u containerd." >&2
exit 1
`,
};

async function filesFor(host: SshHost, context: StepContext): Promise<readonly MachineFile[]> {
  const { spec } = context.cluster;
  const pauseImage = await pauseImageOf(await openArtifacts(host, context), versionOfStep(context));
  return machineFiles(spec, {
    pauseImage,
    controlPlane: isControlPlane(nodeNamed(spec, context.step.host)),
    containerdMajor: await containerdMajor(context),
    credentials: await readCredentials(context),
  });
}

async function readCredentials(context: StepContext): Promise<ReadonlyMap<string, RegistryCredential>> {
  const found = new Map<string, RegistryCredential>();
  for (const { host, credential } of sshPart(context.cluster.spec).registryMirrors ?? [])
    if (credential !== undefined) found.set(host, await readCredential(context, credential));
  return found;
}

async function containerdMajor(context: StepContext): Promise<number> {
  const [said] = await runAll(await machineOf(context), [{ argv: ["containerd", "--version"] }], {
    signal: context.signal,
  });
  const major = /\s v?(\d+)\.\d+/.exec(said?.stdout ?? "")?.[1] ?? /v?(\d+)\.\d+\.\d+/.exec(said?.stdout ?? "")?.[1];
  if (major !== undefined) return Number(major);
  throw new DroverError(
    "program-missing",
    `containerd is not installed on ${context.step.host}. Install it there, or bring it with the artifacts.`,
  );
}

const startedWith = (files: readonly MachineFile[], isFor: (file: MachineFile) => boolean): string =>
  sha256(
    files
      .filter(isFor)
      .map(({ text }) => text)
      .join("\0"),
  );

const stamps = (files: readonly MachineFile[]): readonly string[] => [
  ...[STARTED_WITH, startedWith(files, isForContainerd)],
  ...[KUBELET_STARTED_WITH, startedWith(files, isForKubelet)],
];

async function isPrepared(context: StepContext, files: readonly MachineFile[]): Promise<boolean> {
  const [sums, values, stamp, kubeletStamp, units, enabled] = await runAll(
    await machineOf(context),
    [
      { argv: ["sha256sum", ...files.map(({ path }) => path)] },
      { argv: ["sysctl", "-n", ...Object.keys(SYSCTLS)] },
      { argv: ["cat", STARTED_WITH] },
      { argv: ["cat", KUBELET_STARTED_WITH] },
      { argv: ["systemctl", "is-active", "containerd"] },
      { argv: ["systemctl", "is-enabled", "kubelet"] },
    ],
    { signal: context.signal },
  );
  const there = new Set(sums?.stdout.split("\n"));
  return (
    files.every(({ path, text }) => there.has(`${sha256(text)}  ${path}`)) &&
    values?.stdout.trim() === Object.values(SYSCTLS).join("\n") &&
    stamp?.stdout === startedWith(files, isForContainerd) &&
    kubeletStamp?.stdout === startedWith(files, isForKubelet) &&
    units?.stdout.trim() === "active" &&
    enabled?.stdout.trim() === "enabled"
  );
}

async function prepare(host: SshHost, context: StepContext): Promise<void> {
  const machine = await machineOf(context);
  const files = await filesFor(host, context);
  await runScript(context, NOTE_AS_FOUND, STATE_FOLDER, ...files.map(({ path }) => path));
  const folders = [...new Set(files.map(({ path }) => path.slice(0, path.lastIndexOf("/"))))];
  await machine.run({ argv: ["mkdir", "-p", ...folders] }, { signal: context.signal });
  for (const { path, text, mode } of files) await putText(machine, path, text, mode);
  const said = await machine.run(
    { argv: argvOf(APPLY, SYSCTL_FILE, ...stamps(files), ...MODULES) },
    { signal: context.signal },
  );
  if (said.stdout.trim() !== "") context.log(said.stdout.trim());
  if (said.exitCode !== 0) throw new DroverError("step-failed", `${context.step.host}: ${said.stderr.trim()}`);
}
