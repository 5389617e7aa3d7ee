import { execFile } from "node:child_process";
import { chmodSync, copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { atEnd, makeTemporaryFolder } from "../lib/clean-up.mjs";
import { KUBEADM_PATCHES, specFor } from "../lib/ssh-cluster.mjs";

const SCRIPT = fileURLToPath(new URL("create-by-hand.sh", import.meta.url));

const runToEnd = promisify(execFile);

const timed = async (work) => {
  const began = performance.now();
  await work();
  return { "create-s": (performance.now() - began) / 1000 };
};

/** Takes the machines back to what they were, also when the program is interrupted in between. */
function leavingNothing({ up, down }) {
  let isThere = false;
  const clear = async () => {
    if (!isThere) return;
    isThere = false;
    await down();
  };
  atEnd(clear);
  return {
    measure: () => {
      isThere = true;
      return timed(up);
    },
    dispose: clear,
  };
}

/** Declared to a Drover that runs; until all nodes are ready. */
export function droverSshCreate({ drover, cluster }) {
  let round = 0;
  return {
    name: "drover",
    prepare: async () => {
      const name = `bench-${round++}`;
      return leavingNothing({
        up: () => drover.create(name, specFor(cluster)),
        down: () => drover.remove(name),
      });
    },
  };
}

/** The same commands in a shell script, machines side by side. */
export function createByHand({ cluster: { machines, artifacts, version } }) {
  const folder = makeTemporaryFolder("by-hand");
  const line = ({ name, address, port, user }) => `${name} ${address} ${port} ${user}\n`;
  writeFileSync(join(folder, "machines"), machines.map(line).join(""));
  writeFileSync(
    join(folder, "known_hosts"),
    machines
      .map(({ address, port, hostKey }) => `${port === 22 ? address : `[${address}]:${port}`} ${hostKey}\n`)
      .join(""),
  );
  const versions = ["kubelet.config.k8s.io/v1beta1", "kubeproxy.config.k8s.io/v1alpha1"];
  const extra = KUBEADM_PATCHES.map((patch, index) => `---\napiVersion: ${versions[index]}\n${patch}`);
  writeFileSync(
    join(folder, "extra.yaml"),
    extra.join("").replace("kind: KubeletConfiguration", "kind: KubeletConfiguration\ncgroupDriver: systemd"),
  );
  copyFileSync(machines[0].key, join(folder, "key"));
  chmodSync(join(folder, "key"), 0o600);
  const env = { ...process.env, FOLDER: folder, ARTIFACTS: artifacts, VERSION: version };
  return {
    name: "shell script",
    prepare: async () => {
      const stopping = new AbortController();
      return leavingNothing({
        up: () => runToEnd("bash", [SCRIPT, "up"], { env, signal: stopping.signal }),
        down: () => {
          // One that is interrupted would go on making what is being removed.
          stopping.abort();
          return runToEnd("bash", [SCRIPT, "down"], { env });
        },
      });
    },
  };
}
