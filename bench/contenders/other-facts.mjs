import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeTemporaryFolder } from "../lib/clean-up.mjs";

const run = promisify(execFile);

const LOOP = `
script=$1 key=$2 known=$3 user=$4; shift 4
for port in "$@"; do
  ssh -F none -i "$key" -o UserKnownHostsFile="$known" -p "$port" "$user@127.0.0.1" sh -s <"$script" >"$script-$port" &
done
wait
`;

/** The same script by OpenSSH, on all hosts at once; nobody reads what it told. */
export function sshFacts({ hosts, script }) {
  return {
    name: "bash + ssh, same script",
    prepare: async () => {
      const file = join(makeTemporaryFolder("facts"), "script");
      writeFileSync(file, script);
      const args = [file, hosts.keyFile, hosts.knownHosts, hosts.user, ...hosts.ports.map(String)];
      return {
        measure: async () => {
          const begin = performance.now();
          await run("bash", ["-c", LOOP, "ssh-facts", ...args]);
          return { seconds: (performance.now() - begin) / 1_000 };
        },
        dispose: async () => {},
      };
    },
  };
}

/** `ansible -m setup`, pipelining on, with as many forks as hosts. */
export function ansibleFacts({ hosts, python }) {
  return {
    name: "ansible setup",
    prepare: async () => {
      const folder = makeTemporaryFolder("ansible-facts");
      const shared = `ansible_host=127.0.0.1 ansible_user=${hosts.user} ansible_ssh_private_key_file=${hosts.keyFile}`;
      const inventory = join(folder, "inventory");
      const lines = hosts.ports.map(
        (port) => `host-${port} ansible_port=${port} ${shared} ansible_python_interpreter=${python}`,
      );
      writeFileSync(inventory, `${lines.join("\n")}\n`);
      const config = join(folder, "ansible.cfg");
      const settings = [
        "[defaults]",
        `forks = ${hosts.ports.length}`,
        `local_tmp = ${folder}/tmp`,
        "[ssh_connection]",
        "pipelining = true",
        `control_path_dir = ${folder}/cp`,
        `ssh_args = -o ControlMaster=auto -o ControlPersist=10s -o UserKnownHostsFile=${hosts.knownHosts}`,
      ];
      writeFileSync(config, `${settings.join("\n")}\n`);
      return {
        measure: async () => {
          const begin = performance.now();
          const env = { ...process.env, ANSIBLE_CONFIG: config, ANSIBLE_HOME: folder };
          await run("ansible", ["-i", inventory, "all", "-m", "setup"], { env, maxBuffer: 64 * 1024 ** 2 });
          return { seconds: (performance.now() - begin) / 1_000 };
        },
        dispose: async () => {},
      };
    },
  };
}
