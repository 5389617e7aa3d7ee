import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { atEnd } from "./clean-up.mjs";

const REMOVE = {
  kind: (name) => ["delete", "cluster", "--name", name],
  k3d: (name) => ["cluster", "delete", name],
};

/**
 * Has a cluster of Drover removed by its tool when the program is interrupted before Drover has removed it. Drover ends
 * first: it would make the cluster again.
 *
 * @param {{ stop(): Promise<void> }} drover
 * @param {"kind" | "k3d"} tool
 */
export function watchCluster(drover, tool) {
  const there = new Set();
  atEnd(async () => {
    if (there.size === 0) return;
    await drover.stop();
    for (const name of there) await promisify(execFile)(tool, REMOVE[tool](name));
  });
  return { made: (name) => there.add(name), removed: (name) => there.delete(name) };
}
