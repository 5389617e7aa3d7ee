import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeTemporaryFolder } from "../lib/clean-up.mjs";
import { makeWorkFolder } from "../lib/ssh-hosts.mjs";
import { requireDone } from "./drover-ssh.mjs";

const run = promisify(execFile);

const SCRIPT = `
steps=$1 folder=$2 control=$3 key=$4 known=$5 user=$6; shift 6
for port in "$@"; do (
  reach() { ssh -F none -i "$key" -o UserKnownHostsFile="$known" -o ControlPath="$control/$port" "$@"; }
  reach -o ControlMaster=yes -o ControlPersist=60 -p "$port" "$user@127.0.0.1" true
  at=0
  while [ "$at" -lt "$steps" ]; do
    path=$folder/$port/$at
    reach -p "$port" "$user@127.0.0.1" "test -e $path || touch $path" || exit 1
    at=$((at + 1))
  done
  reach -p "$port" -O exit "$user@127.0.0.1" 2>/dev/null
) & done
wait
`;

export const describeSsh = () => execFileSync("bash", ["-c", "ssh -V 2>&1"], { encoding: "utf8" }).trim();

/** A careful shell script: one OpenSSH master per host, all hosts at once. */
export function sshLoop({ hosts, steps }) {
  return {
    name: "bash + ControlMaster",
    prepare: async () => {
      const [control, folder] = [makeTemporaryFolder("cm"), makeWorkFolder(hosts)];
      const args = [
        String(steps),
        folder,
        control,
        hosts.keyFile,
        hosts.knownHosts,
        hosts.user,
        ...hosts.ports.map(String),
      ];
      return {
        measure: async () => {
          const begin = performance.now();
          await run("bash", ["-c", SCRIPT, "ssh-loop", ...args], { cwd: join(folder) });
          const seconds = (performance.now() - begin) / 1_000;
          requireDone(folder, hosts, steps);
          return { seconds };
        },
        dispose: async () => {},
      };
    },
  };
}
