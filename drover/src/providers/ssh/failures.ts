import { DroverError } from "@drover/contract";
import { isCommandError } from "../../lib/command-error.ts";

/** Its preflight names each obstacle on a line of its own. */
const OBSTACLE = /\[ERROR ([A-Za-z0-9-]+)\]: (.+)/g;

/** What kubeadm has against a machine, as it says it; anything else as it is. */
export function explainKubeadm(node: string, error: unknown): unknown {
  if (!isCommandError(error, "failed")) return error;
  const said = `${error.stderr}\n${error.stdout}`;
  const obstacles = [...said.matchAll(OBSTACLE)].map(([, name, what]) => `${name}: ${what}`);
  const lines = error.stderr
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("To see the stack trace"));
  const why = obstacles.length > 0 ? obstacles.join(" ") : lines.slice(-3).join(" ");
  return new DroverError("step-failed", `kubeadm on ${node}: ${why || error.message}`, { cause: error });
}
