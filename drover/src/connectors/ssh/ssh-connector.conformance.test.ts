import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { whyNoSshd } from "../../../test/ssh/private-sshd.ts";
import { SERVERS } from "../../../test/ssh/servers.ts";
import type { SshServer } from "../../../test/ssh/ssh-server.ts";
import { describeConnector } from "../../ports/connector.conformance.ts";
import { SshPool } from "./ssh-pool.ts";

const traits = {
  // The last four are what a shell adds by itself.
  environmentNames: ["HOME", "USER", "LOGNAME", "PATH", "LANG", "PWD", "OLDPWD", "SHLVL", "_"],
  hugeBytes: 256 * 1024 ** 2,
};

async function make(start: () => Promise<SshServer>) {
  const folder = await mkdtemp(join(tmpdir(), "drover-connector-"));
  const server = await start();
  const pool = new SshPool();
  return {
    connect: async () => pool.connect(server.target),
    folder,
    dispose: async () => {
      pool.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

for (const [name, start] of SERVERS) describeConnector(`SSH (${name})`, () => make(start), traits);

const why = whyNoSshd();

it.skipIf(why !== null)(`is held against a real sshd${why === null ? "" : `, but ${why}`}`, () => {
  expect(SERVERS.map(([name]) => name)).toContain("sshd");
});
