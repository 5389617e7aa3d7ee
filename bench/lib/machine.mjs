import { cpus, release, totalmem } from "node:os";

/** What the figures of a run depend on, without saying whose machine it is. */
export function describeMachine() {
  const cores = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cores.length} × ${cores[0]?.model.trim() ?? "CPU"}, ${memory} GiB, Linux ${release().split("-")[0]}, Node ${process.versions.node}`;
}
