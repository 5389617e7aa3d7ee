import { DroverError, type ErrorCode } from "@drover/contract";
import type { StepContext } from "../../ports/step.ts";
import type { K3dHost } from "./host.ts";
import type { K3dEnd } from "./run-k3d.ts";
import { everyContainer } from "./sort-out.ts";

interface Known {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  /** The cause first, then the next move. */
  readonly say: (match: RegExpExecArray) => string;
}

const KNOWN: readonly Known[] = [
  {
    pattern: /Cannot connect to the Docker daemon at (\S+)\./,
    code: "docker-unreachable",
    say: ([, where]) => `Docker at ${where} does not answer. Start it, or look whether it was restarted.`,
  },
  {
    pattern:
      /listen (?:tcp|udp)\S* (\S+): bind: address already in use|Bind for (\S+) failed: port is already allocated/,
    code: "port-taken",
    say: ([, listened, bound]) =>
      `${listened ?? bound} is used by another program of this machine. End that, or choose another port.`,
  },
  {
    pattern: /docker failed to pull the image '([^']+)': (.*)$/,
    code: "image-missing",
    say: ([, image, why]) =>
      `The image ${image} is not on this machine and cannot be pulled: ${why} Load it with \`docker load\`, or name another one.`,
  },
  {
    pattern: /Pool overlaps with other one on this address space/,
    code: "subnet-taken",
    say: () => "The network of the nodes overlaps one that Docker has already. Choose another spec.k3d.subnet.",
  },
  {
    pattern: /no space left on device/i,
    code: "host-full",
    say: () => "There is no room left where Docker keeps its data. Free some, such as with `docker system prune`.",
  },
];

/** Typed where the cause is known. What a node wrote last goes before what k3d says of waiting for it. */
export async function explainFailure(
  host: K3dHost,
  context: StepContext,
  what: string,
  { errors }: K3dEnd,
): Promise<DroverError> {
  const said = errors.join("\n");
  for (const { pattern, code, say } of KNOWN) {
    const match = pattern.exec(said);
    if (match !== null) return new DroverError(code, say(match));
  }
  const fatal = await findFatal(host, context);
  if (fatal !== null) {
    return new DroverError(
      "step-failed",
      `k3s of ${fatal.container} says: ${fatal.message} Look at spec.k3d.k3sArgs and at the image.`,
    );
  }
  const [first = "it said nothing."] = errors;
  return new DroverError("step-failed", `${what} failed: ${first}`);
}

const LINES = 400;

/** The newest line of the level fatal that any node has written; k3d waits in silence for a k3s that ended. */
async function findFatal(
  host: K3dHost,
  { cluster, signal }: StepContext,
): Promise<{ readonly container: string; readonly message: string } | null> {
  for (const { id, name } of everyContainer(await host.see(cluster, signal))) {
    const lines = await host.parts.engine.readLog(id, { lines: LINES }, signal);
    const line = lines.findLast((text) => text.includes("level=fatal"));
    if (line !== undefined) return { container: name, message: messageOf(line) };
  }
  return null;
}

function messageOf(line: string): string {
  const [, message] = /msg="((?:[^"\\]|\\.)*)"/.exec(line) ?? /msg=(.*)$/.exec(line) ?? [];
  const text = (message ?? line).replaceAll('\\"', '"').trim();
  return text.endsWith(".") ? text : `${text}.`;
}
