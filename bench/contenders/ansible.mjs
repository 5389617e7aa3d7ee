import { execFile, execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeTemporaryFolder } from "../lib/clean-up.mjs";
import { makeWorkFolder } from "../lib/ssh-hosts.mjs";
import { requireDone } from "./drover-ssh.mjs";

const run = promisify(execFile);

/** What of it is installed: null, or where Mitogen's plugins are, which may be null as well. */
export function findAnsible() {
  try {
    const text = execFileSync("ansible-playbook", ["--version"], { encoding: "utf8", stdio: "pipe" });
    const python = /python version = .*\((\/[^)]*)\)/.exec(text)?.[1] ?? "python3";
    return { version: text.split("\n", 1)[0], python, mitogen: findMitogen(python) };
  } catch {
    return null;
  }
}

function findMitogen(python) {
  const code =
    "import ansible_mitogen, mitogen, os; print(os.path.dirname(ansible_mitogen.__file__), *mitogen.__version__, sep=' ')";
  try {
    const [folder, version] = execFileSync(python, ["-c", code], { encoding: "utf8", stdio: "pipe" })
      .trim()
      .split(/ (.*)/);
    return { plugins: join(folder, "plugins/strategy"), version: version.replaceAll(" ", ".") };
  } catch {
    return null;
  }
}

/** The same steps as a playbook, pipelining on, with as many forks as hosts. */
export function ansible({ name, hosts, steps, python, mitogen = null }) {
  return {
    name,
    prepare: async () => {
      const folder = makeTemporaryFolder("ansible");
      const work = makeWorkFolder(hosts);
      const write = (file, lines) => {
        writeFileSync(join(folder, file), `${lines.join("\n")}\n`);
        return join(folder, file);
      };
      const shared = `ansible_host=127.0.0.1 ansible_user=${hosts.user} ansible_ssh_private_key_file=${hosts.keyFile}`;
      const inventory = write("inventory", [
        ...hosts.ports.map(
          (port) => `host-${port} ansible_port=${port} ${shared} ansible_python_interpreter=${python}`,
        ),
      ]);
      const tasks = Array.from({ length: steps }, (_, at) => {
        const path = `${work}/{{ ansible_port }}/${at}`;
        return `    - ansible.builtin.command: { argv: [touch, "${path}"], creates: "${path}" }`;
      });
      const playbook = write("playbook.yml", ["- hosts: all", "  gather_facts: false", "  tasks:", ...tasks]);
      const config = write("ansible.cfg", [
        "[defaults]",
        `forks = ${hosts.ports.length}`,
        `local_tmp = ${folder}/tmp`,
        ...(mitogen === null ? [] : [`strategy_plugins = ${mitogen.plugins}`, "strategy = mitogen_linear"]),
        "[ssh_connection]",
        "pipelining = true",
        `control_path_dir = ${folder}/cp`,
        `ssh_args = -o ControlMaster=auto -o ControlPersist=10s -o UserKnownHostsFile=${hosts.knownHosts}`,
      ]);
      return {
        measure: async () => {
          const begin = performance.now();
          const env = { ...process.env, ANSIBLE_CONFIG: config, ANSIBLE_HOME: folder };
          await run("ansible-playbook", ["-i", inventory, playbook], { env, maxBuffer: 64 * 1024 ** 2 });
          const seconds = (performance.now() - begin) / 1_000;
          requireDone(work, hosts, steps);
          return { seconds };
        },
        dispose: async () => {},
      };
    },
  };
}
