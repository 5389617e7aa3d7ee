import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks per second in /proc, the same on every Linux that Node.js runs on. */
const TICKS = 100;

/**
 * What a piece of work costs besides time: processor seconds of this process and of the database server, and bytes of
 * write-ahead log. On a busy machine these say more than the clock does.
 *
 * @typedef {{ seconds: number, clientCpu: number, serverCpu: number, walBytes: number }} Cost
 *
 * The clock starts with `work`, or when `work` says so.
 *
 * @param {{ pid: number, walPosition(): Promise<number> }} server
 * @param {(startClock: () => void) => Promise<unknown>} work
 * @returns {Promise<Cost>}
 */
export async function measureCost(server, work) {
  const walBefore = await server.walPosition();
  let serverBefore;
  let clientBefore;
  let begin;
  const startClock = () => {
    serverBefore = cpuOfTree(server.pid);
    clientBefore = process.cpuUsage();
    begin = performance.now();
  };
  startClock();
  await work(startClock);
  const seconds = (performance.now() - begin) / 1_000;
  const client = process.cpuUsage(clientBefore);
  const serverCpu = cpuOfTree(server.pid) - serverBefore;
  const walBytes = (await server.walPosition()) - walBefore;
  return { seconds, clientCpu: (client.user + client.system) / 1e6, serverCpu, walBytes };
}

/** @param {Cost} cost */
export function perJob({ seconds, clientCpu, serverCpu, walBytes }, jobs) {
  return {
    "jobs/s": jobs / seconds,
    "client-µs/job": (clientCpu / jobs) * 1e6,
    "server-µs/job": (serverCpu / jobs) * 1e6,
    "wal-bytes/job": walBytes / jobs,
  };
}

/** Seconds that a process, its living children and its ended ones have used. */
function cpuOfTree(pid) {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(name))
    .filter((stat) => stat?.parent === pid);
  const own = readStat(pid);
  const ticks = (own?.ticks ?? 0) + (own?.endedTicks ?? 0) + children.reduce((sum, { ticks }) => sum + ticks, 0);
  return ticks / TICKS;
}

function readStat(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined; // it has ended meanwhile
  }
  // The name of the command comes second, in brackets, and may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number);
  return { parent: Number(fields[1]), ticks: utime + stime, endedTicks: cutime + cstime };
}
