// B5: 20 check-and-run steps on each of 10 hosts by SSH, against Ansible, Mitogen and a shell script with OpenSSH.
import { runBenchmark } from "./lib/clean-up.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { measureSshSteps } from "./lib/ssh-benchmark.mjs";

await runBenchmark(async () => {
  const size = { hosts: 10, steps: 20 };
  const options = readOptions({ small: size, full: size, smoke: { hosts: 2, steps: 3 } });
  const { ours, loop, ansible, mitogen } = await measureSshSteps({ ...options, roundTripMs: 0 });
  if (mitogen !== null) console.log(`ratio-mitogen=${(mitogen / ours).toFixed(1)}`);
  console.log(`ratio-control-master=${(loop / ours).toFixed(1)}`);
  if (ansible === null) console.log("The ratio is against the shell script.");
  tellRatio((ansible ?? loop) / ours, 1);
});
