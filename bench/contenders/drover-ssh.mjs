import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeWorkFolder } from "../lib/ssh-hosts.mjs";

/**
 * Steps one after the other on every host, all hosts at once, each step a check and, when that fails, the work. The time
 * counts from nothing: connections included.
 */
export function droverSsh({ load, hosts, steps, name = "drover" }) {
  return {
    name,
    prepare: async () => {
      const [{ SshPool }, { parseHostKey }] = await Promise.all([
        load("connectors/ssh/ssh-pool.js"),
        load("connectors/ssh/host-key.js"),
      ]);
      const folder = makeWorkFolder(hosts);
      const pool = new SshPool();
      return {
        measure: async () => {
          const begin = performance.now();
          const opened = await Promise.all(
            hosts.ports.map(async (port) => {
              const credentials = { privateKeys: [{ key: hosts.key }] };
              const hostKeys = [parseHostKey(hosts.hostKey)];
              const connector = pool.connect({ host: "127.0.0.1", port, user: hosts.user, credentials, hostKeys });
              await runStep(connector, join(folder, String(port), "0"));
              return [connector, port];
            }),
          );
          const connected = performance.now();
          await Promise.all(
            opened.map(async ([connector, port]) => {
              for (let at = 1; at < steps; at++) await runStep(connector, join(folder, String(port), String(at)));
            }),
          );
          const end = performance.now();
          requireDone(folder, hosts, steps);
          return { seconds: (end - begin) / 1_000, msPerStep: (end - connected) / (steps - 1) };
        },
        dispose: async () => pool.close(),
      };
    },
  };
}

async function runStep(connector, path) {
  const [check, work] = await connector.runAll([
    { argv: ["test", "-e", path] },
    { argv: ["touch", path], after: "failure" },
  ]);
  if (check.exitCode === 0 || work?.exitCode !== 0) throw new Error(`${path} was not made.`);
}

export function requireDone(folder, hosts, steps) {
  for (const port of hosts.ports) {
    for (let at = 0; at < steps; at++) {
      if (!existsSync(join(folder, String(port), String(at)))) throw new Error(`Step ${at} of ${port} is missing.`);
    }
  }
}
