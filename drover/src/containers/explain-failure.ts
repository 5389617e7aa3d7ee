import { DroverError, type ErrorCode } from "@drover/contract";
import { EngineError } from "../ports/container-engine.ts";

interface Known {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  /** The cause first, then the next move. */
  readonly say: (match: RegExpExecArray) => string;
}

const THAW =
  "grep -rlE 'FROZEN|FREEZING' /sys/fs/cgroup/freezer/docker --include=freezer.state | xargs -I{} sh -c 'echo THAWED > {}'";

/** What Docker has against a request, however the tool passed it on. */
const KNOWN: readonly Known[] = [
  {
    pattern: /Cannot connect to the Docker daemon at (\S+?)\. |error during connect: .*?"(\S+?)"/i,
    code: "docker-unreachable",
    say: ([, where, url]) => `Docker at ${where ?? url} does not answer. Start it, or look whether it was restarted.`,
  },
  {
    pattern:
      /listen (?:tcp|udp)\S* (\S+): bind: address already in use|Bind for (\S+) failed: port is already allocated/,
    code: "port-taken",
    say: ([, listened, bound]) =>
      `${listened ?? bound} is used by another program of this machine. End that, or choose another port.`,
  },
  {
    pattern: /Pool overlaps with other one on this address space/,
    code: "subnet-taken",
    say: () => "The network of the nodes overlaps one that Docker has already. Choose another one.",
  },
  {
    pattern: /could not find an available, non-overlapping IPv4 address pool/,
    code: "subnet-taken",
    say: () => "Docker has no free network left. Remove networks that nobody uses with `docker network prune`.",
  },
  {
    pattern: /no space left on device/i,
    code: "host-full",
    say: () => "There is no room left where Docker keeps its data. Free some, such as with `docker system prune`.",
  },
  {
    pattern: /tried to kill container, but did not receive an exit event/,
    code: "step-failed",
    say: () =>
      `The kernel does not let a process of the node end. Most often its control group was frozen when the node was killed, on a host with cgroup v1: thaw it there as root with \`${THAW}\`, or restart the machine.`,
  },
];

/** A typed error where the cause is one that every tool on Docker can meet; null otherwise. */
export function explainDocker(said: string): DroverError | null {
  for (const { pattern, code, say } of KNOWN) {
    const match = pattern.exec(said);
    if (match !== null) return new DroverError(code, say(match));
  }
  return null;
}

/** What went wrong when the engine itself was asked, as an error of a step. Other errors stay as they are. */
export function explainEngine(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  if (error.reason === "unreachable") return new DroverError("docker-unreachable", error.message, { cause: error });
  return explainDocker(error.message) ?? error;
}
