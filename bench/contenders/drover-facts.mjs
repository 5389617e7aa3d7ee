/**
 * What a worker does with machines that are due, all of them at once: connects, compares or pins the host key, asks
 * everything in one command and reads the answer. The time counts from nothing: connections included.
 *
 * @param {{ load: (path: string) => Promise<any>, hosts: any, isFirst: boolean, name: string }} options
 */
export function droverFacts({ load, hosts, isFirst, name }) {
  return {
    name,
    prepare: async () => {
      const [{ SshPool }, { fingerprintOf, parseHostKey }, { makeReach }, { lookAtMachine }] = await Promise.all([
        load("connectors/ssh/ssh-pool.js"),
        load("connectors/ssh/host-key.js"),
        load("main/reach-machine.js"),
        load("machines/look-at-machine.js"),
      ]);
      const pool = new SshPool();
      const secret = Buffer.from(JSON.stringify({ privateKey: hosts.key }));
      const parts = {
        reach: makeReach(pool),
        readSecret: async () => secret,
        clock: { now: () => Date.now() },
        deadlineMs: 60_000,
      };
      const fingerprint = fingerprintOf(parseHostKey(hosts.hostKey));
      const pinned = { fingerprint, type: "ssh-ed25519", origin: "given", at: 0 };
      const machines = hosts.ports.map((port) => ({
        ...{ address: "127.0.0.1", port, bastionHostKey: null, hostKey: isFirst ? null : pinned },
        access: { user: hosts.user, credential: { name: "key" }, sudo: { mode: "none" } },
      }));
      return {
        measure: async () => {
          const begin = performance.now();
          const never = new AbortController().signal;
          const looks = await Promise.all(machines.map((machine) => lookAtMachine(parts, machine, never)));
          const seconds = (performance.now() - begin) / 1_000;
          for (const { state, message, facts } of looks) {
            if (state !== "Reachable" || facts?.kernel === undefined) throw new Error(`Nothing was told: ${message}`);
          }
          return { seconds };
        },
        dispose: async () => pool.close(),
      };
    },
  };
}
