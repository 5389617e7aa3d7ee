// A finished plan of 20 steps on each of 10 hosts, run again by SSH, against Ansible and a shell script with OpenSSH.
import { ansible, findAnsible } from "./contenders/ansible.mjs";
import { droverSecondRun } from "./contenders/drover-second-run.mjs";
import { describeSsh, sshLoop } from "./contenders/ssh-loop.mjs";
import { runBenchmark } from "./lib/clean-up.mjs";
import { sayLeftOut } from "./lib/left-out.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { startSshHosts } from "./lib/ssh-hosts.mjs";
import { loadDrover } from "./lib/store.mjs";

const BUDGET_SECONDS = 1;

/** Its first run is not measured. */
const again = (contender) => ({
  ...contender,
  prepare: async () => {
    const prepared = await contender.prepare();
    await prepared.measure();
    return prepared;
  },
});

await runBenchmark(async () => {
  const size = { hosts: 10, steps: 20 };
  const {
    rounds,
    hosts: count,
    steps,
    dist,
  } = readOptions({
    ...{ small: size, full: size },
    smoke: { hosts: 2, steps: 3 },
  });
  const drover = await loadDrover(dist);
  const hosts = await startSshHosts({ count, roundTripMs: 0 });
  const found = findAnsible();
  if (!found) sayLeftOut("Ansible", "ansible-core");
  console.log(
    `${describeMachine()}; ${[describeSsh(), found?.version].filter(Boolean).join("; ")}; ${count} hosts × ${steps} steps`,
  );
  const loop = again(sshLoop({ hosts, steps }));
  const peer = found ? again(ansible({ name: "ansible, pipelined", hosts, steps, python: found.python })) : loop;
  const results = await runRounds({
    rounds,
    contenders: [droverSecondRun({ drover, hosts, steps }), loop, ...(found ? [peer] : [])],
  });
  console.log(results.render());
  const seconds = results.median("drover", "seconds");
  console.log(`${seconds <= BUDGET_SECONDS ? "ok" : "over"} seconds=${seconds.toFixed(2)} (at most ${BUDGET_SECONDS})`);
  console.log(`ratio-control-master=${(results.median(loop.name, "seconds") / seconds).toFixed(1)}`);
  if (!found) console.log("The ratio is against the shell script.");
  tellRatio(results.median(peer.name, "seconds") / seconds, 1);
});
