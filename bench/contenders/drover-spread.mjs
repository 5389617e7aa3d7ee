import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "../lib/clean-up.mjs";

/** Files that nobody has seen before, with their checksums. */
export function makeFiles({ count, bytes }) {
  const folder = makeTemporaryFolder("files");
  return Array.from({ length: count }, (_, at) => {
    const [from, content] = [join(folder, `file-${at}`), randomBytes(bytes)];
    writeFileSync(from, content);
    return { from, sha256: createHash("sha256").update(content).digest("hex") };
  });
}

/**
 * The same files to all machines, as the steps that bring artifacts do it. Where `mayLend` is false everything comes from
 * here.
 */
export function droverSpread({ load, hosts, ports, files, atOnce, name, mayLend, searchPath }) {
  return {
    name,
    prepare: async () => {
      const [{ SshPool, SSH_SEARCH_PATH }, { parseHostKey }, { FileSpread }, { systemClock }, { systemTimer }] =
        await Promise.all([
          load("connectors/ssh/ssh-pool.js"),
          load("connectors/ssh/host-key.js"),
          load("providers/ssh/spread/file-spread.js"),
          load("ports/clock.js"),
          load("ports/timer.js"),
        ]);
      const folder = makeTemporaryFolder("spread");
      mkdirSync(join(folder, "incoming"));
      const pool = new SshPool({ searchPath: `${searchPath}:${SSH_SEARCH_PATH}` });
      const shared = { user: hosts.user, credentials: { privateKeys: [{ key: hosts.key }] } };
      const machines = new Map(
        ports.map((port) => {
          mkdirSync(join(folder, String(port)));
          const hostKeys = [parseHostKey(hosts.hostKey)];
          const machine = pool.connect({ host: "127.0.0.1", port, ...shared, hostKeys });
          return [String(port), mayLend ? machine : { sendFile: (...args) => machine.sendFile(...args) }];
        }),
      );
      const spread = new FileSpread({
        ...{ clock: systemClock, timer: systemTimer, folder: join(folder, "incoming") },
        machines: { connect: async (_, node) => machines.get(node) },
      });
      const { signal } = new AbortController();
      const said = [];
      const bring = async ([node, machine]) =>
        await spread.send(
          {
            cluster: { id: "bench", spec: { ssh: { nodes: [...machines.keys()] } } },
            ...{ step: { host: node }, signal, log: (text) => said.push(text) },
          },
          { machine, atOnce, files: files.map((file, at) => ({ ...file, to: join(folder, node, String(at)) })) },
        );
      return {
        measure: async () => {
          const begin = performance.now();
          await Promise.all([...machines].map(bring));
          const seconds = (performance.now() - begin) / 1_000;
          for (const node of machines.keys()) {
            for (const at of files.keys()) {
              const path = join(folder, node, String(at));
              if (!existsSync(path) || statSync(path).size !== statSync(files[at].from).size) throw new Error(path);
            }
          }
          return { seconds, copied: said.filter((text) => text.includes("was copied")).length };
        },
        dispose: async () => pool.close(),
      };
    },
  };
}
