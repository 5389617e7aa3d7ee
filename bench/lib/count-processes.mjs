import { ChildProcess } from "node:child_process";

let started = 0;
const { spawn } = ChildProcess.prototype;
/** Everything of `node:child_process` that does not block comes through here. */
ChildProcess.prototype.spawn = function count(...args) {
  started += 1;
  return spawn.apply(this, args);
};

/** How many processes this one starts while the work is done. */
export async function countProcesses(work) {
  const before = started;
  const answer = await work();
  return { answer, processes: started - before };
}
