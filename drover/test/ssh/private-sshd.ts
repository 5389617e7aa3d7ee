import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseHostKey } from "../../src/connectors/ssh/host-key.ts";
import { type KeyPair, makeKeyPair, makeTarget, type SshServer } from "./ssh-server.ts";

/** Elsewhere than usual: `DROVER_TEST_SSHD` names it. */
const PROGRAM = [process.env.DROVER_TEST_SSHD, "/usr/sbin/sshd", "/usr/local/sbin/sshd"].find(
  (path) => path !== undefined && existsSync(path),
);

/** Where commands find it too. */
export const SSHD_FOLDER = PROGRAM === undefined ? null : dirname(PROGRAM);

export interface SshdOptions {
  readonly hostKey?: KeyPair;
  readonly userKey?: KeyPair;
  readonly port?: number;
  /** Further lines of its configuration. */
  readonly config?: readonly string[];
}

/** Null when it can run here; otherwise why not. */
export function whyNoSshd(): string | null {
  if (PROGRAM === undefined) return "there is no sshd on this machine";
  // As root it wants a user that its package makes and a folder that its service makes; it says so once it has a host key.
  const folder = mkdtempSync(join(tmpdir(), "drover-sshd-"));
  const key = join(folder, "host-key");
  writeFileSync(key, makeKeyPair().private, { mode: 0o600 });
  const { stderr } = spawnSync(PROGRAM, ["-t", "-f", "/dev/null", "-h", key], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  const missing = /Privilege separation user .* does not exist|Missing privilege separation directory.*/.exec(stderr);
  return missing ? `sshd cannot run here: ${missing[0]}` : null;
}

/** A real sshd of our own: its own configuration, host key and port, as the user of the tests. */
export async function startSshd(options: SshdOptions = {}): Promise<SshServer> {
  const { hostKey = makeKeyPair(), userKey = makeKeyPair() } = options;
  const folder = await mkdtemp(join(tmpdir(), "drover-sshd-"));
  const port = options.port ?? (await findFreePort());
  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const lines = [
    ...(options.config ?? []),
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${await write("host-key", hostKey.private)}`,
    `AuthorizedKeysFile ${await write("authorized-keys", `${userKey.public}\n`)}`,
    "PidFile none",
    "StrictModes no",
    "UsePAM no",
    "PasswordAuthentication no",
    "PermitRootLogin yes",
    "MaxStartups 100",
    "LogLevel ERROR",
    // What the user of the tests lets a shell do at its start may take long.
    `SetEnv HOME=${folder}`,
  ];
  const config = await write("config", `${lines.join("\n")}\n`);
  const child = spawn(PROGRAM ?? "", ["-D", "-e", "-f", config], { stdio: ["ignore", "ignore", "pipe"] });
  await waitUntilItListens(child, port);
  return {
    port,
    hostKey: parseHostKey(hostKey.public),
    target: makeTarget(port, hostKey, userKey),
    pids: [child.pid ?? 0],
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function waitUntilItListens(child: ChildProcess, port: number): Promise<void> {
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  // The limit of the test ends it, should it neither listen nor end.
  while (!(await canConnect(port))) {
    if (child.exitCode !== null) throw new Error(`sshd has ended: ${said}`);
    await sleep(25);
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
