import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { atEnd, makeTemporaryFolder } from "./clean-up.mjs";

const DELAY = fileURLToPath(new URL("./delay-proxy-process.mjs", import.meta.url));
const NARROW_LINK = fileURLToPath(new URL("./narrow-link-process.mjs", import.meta.url));
/** `DROVER_TEST_SSHD` names one elsewhere. */
const SSHD = [process.env.DROVER_TEST_SSHD, "/usr/sbin/sshd"].find((path) => path && existsSync(path));

/** For what looks for an sshd on a machine. */
export const SSHD_FOLDER = SSHD === undefined ? "" : dirname(SSHD);

/**
 * Several real sshd on loopback, with one key, reached directly or through a delay. Each has a port of its own; all run
 * what they are told on this machine.
 *
 * @param {{ count: number, roundTripMs: number }} options
 */
export async function startSshHosts({ count, roundTripMs }) {
  if (SSHD === undefined) throw new Error("There is no sshd on this machine; install openssh-server.");
  const folder = makeTemporaryFolder("ssh");
  const keyFile = join(folder, "key");
  for (const name of ["key", "host-key"]) {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, name)]);
  }
  const hostKey = readFileSync(join(folder, "host-key.pub"), "utf8").trim();
  const ports = [];
  for (let at = 0; at < count; at++) ports.push(await startSshd(folder, await findFreePort()));
  const echo = createServer((socket) => socket.setNoDelay(true).pipe(socket)).listen(0, "127.0.0.1");
  await once(echo, "listening");
  atEnd(() => void echo.close());
  const all = [echo.address().port, ...ports];
  const [echoPort, ...reached] = roundTripMs === 0 ? all : await startProxies(all, roundTripMs / 2);
  const knownHosts = join(folder, "known-hosts");
  writeFileSync(knownHosts, reached.map((port) => `[127.0.0.1]:${port} ${hostKey}\n`).join(""));
  return {
    folder,
    keyFile,
    key: readFileSync(keyFile, "utf8"),
    hostKey,
    knownHosts,
    ports: reached,
    measureRoundTrip: () => measureRoundTrip(echoPort),
    user: userInfo().username,
  };
}

/** How long a byte takes there and back, in milliseconds: somewhat more than it should, as timers are never early. */
async function measureRoundTrip(port) {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  const begin = performance.now();
  for (let turn = 0; turn < 20; turn++) {
    socket.write("x");
    await once(socket, "data");
  }
  socket.destroy();
  return (performance.now() - begin) / 20;
}

/** A folder for the files of one measurement, so that nobody finds the work done. */
export function makeWorkFolder(hosts) {
  const folder = makeTemporaryFolder("steps");
  for (const port of hosts.ports) mkdirSync(join(folder, String(port)));
  return folder;
}

async function startSshd(folder, port) {
  const config = join(folder, `config-${port}`);
  // As a machine has one: what this machine's user lets a shell do at its start is not what is measured.
  const home = join(folder, `home-${port}`);
  mkdirSync(home);
  const lines = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${folder}/host-key`,
    `AuthorizedKeysFile ${folder}/key.pub`,
    "PidFile none",
    "StrictModes no",
    "UsePAM no",
    "PasswordAuthentication no",
    "PermitRootLogin yes",
    "MaxStartups 100",
    "LogLevel ERROR",
    `SetEnv HOME=${home}`,
    "Subsystem sftp internal-sftp",
  ];
  writeFileSync(config, `${lines.join("\n")}\n`);
  const child = spawn(SSHD, ["-D", "-e", "-f", config], { stdio: ["ignore", "ignore", "inherit"] });
  atEnd(() => void child.kill("SIGKILL"));
  await waitUntilItListens(port);
  return port;
}

/** In a process of its own, so that nobody's loop is held up by it. */
const startProxies = (ports, oneWayMs) => startInBetween(DELAY, ports, oneWayMs);

/** All that goes to these ports shares one narrow link. */
export const startNarrowLink = (ports, bytesPerSecond) => startInBetween(NARROW_LINK, ports, bytesPerSecond);

async function startInBetween(program, ports, figure) {
  const reached = [];
  for (let at = 0; at < ports.length; at++) reached.push(await findFreePort());
  const pairs = ports.map((port, at) => `${reached[at]}:${port}`);
  const child = spawn(process.execPath, [program, String(figure), ...pairs], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  atEnd(() => void child.kill("SIGKILL"));
  for (const port of reached) await waitUntilItListens(port);
  return reached;
}

async function findFreePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

async function waitUntilItListens(port) {
  for (let turn = 0; turn < 200; turn++) {
    const listens = await new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("error", () => resolve(false));
      socket.once("connect", () => {
        socket.destroy();
        resolve(true);
      });
    });
    if (listens) return;
    await sleep(25);
  }
  throw new Error(`Nobody listens on port ${port}.`);
}
