import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openPool, openServer, SERVERS } from "../../../test/ssh/servers.ts";
import { waitFor } from "../../../test/wait-for.ts";

const PROGRAMS = ["/usr/bin/ssh-agent", "/usr/bin/ssh-add"];
const isThere = PROGRAMS.every((path) => existsSync(path));

/** A real agent that holds one key. */
async function openAgent(key: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "drover-agent-"));
  const agentSocket = join(folder, "socket");
  const agent = spawn(PROGRAMS[0] ?? "", ["-D", "-a", agentSocket], { stdio: "ignore" });
  onTestFinished(() => {
    agent.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(join(folder, "key"), key, { mode: 0o600 });
  await waitFor(() => expect(existsSync(agentSocket)).toBe(true));
  execFileSync(PROGRAMS[1] ?? "", ["-q", join(folder, "key")], { env: { SSH_AUTH_SOCK: agentSocket } });
  return agentSocket;
}

it.skipIf(!isThere).each(SERVERS)("an agent lets us in and is not lent to the host (%s)", async (_, start) => {
  const { target } = await openServer(start);
  const agentSocket = await openAgent(target.credentials.privateKeys?.[0]?.key ?? "");
  const connector = openPool().connect({ ...target, credentials: { agentSocket } });
  expect(await connector.run({ argv: ["sh", "-c", 'echo "<$SSH_AUTH_SOCK>"'] })).toMatchObject({ stdout: "<>\n" });
});
