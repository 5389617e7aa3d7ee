// Facts of 10 machines by SSH, against `ansible -m setup`, or the same script by OpenSSH where that is not installed.
import { findAnsible } from "./contenders/ansible.mjs";
import { droverFacts } from "./contenders/drover-facts.mjs";
import { ansibleFacts, sshFacts } from "./contenders/other-facts.mjs";
import { describeSsh } from "./contenders/ssh-loop.mjs";
import { runBenchmark } from "./lib/clean-up.mjs";
import { sayLeftOut } from "./lib/left-out.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { startSshHosts } from "./lib/ssh-hosts.mjs";
import { loadDrover } from "./lib/store.mjs";

const BUDGET_SECONDS = 1;

await runBenchmark(async () => {
  const {
    rounds,
    hosts: count,
    dist,
  } = readOptions({ small: { hosts: 10 }, full: { hosts: 10 }, smoke: { hosts: 2 } });
  const { load } = await loadDrover(dist);
  const { FACTS_SCRIPT } = await load("machines/facts/facts-script.js");
  const hosts = await startSshHosts({ count, roundTripMs: 0 });
  const found = findAnsible();
  if (!found) sayLeftOut("Ansible", "ansible-core");
  console.log(`${describeMachine()}; ${[describeSsh(), found?.version].filter(Boolean).join("; ")}; ${count} machines`);
  const results = await runRounds({
    rounds,
    contenders: [
      droverFacts({ load, hosts, isFirst: false, name: "drover" }),
      droverFacts({ load, hosts, isFirst: true, name: "drover, first contact" }),
      sshFacts({ hosts, script: FACTS_SCRIPT }),
      ...(found ? [ansibleFacts({ hosts, python: found.python })] : []),
    ],
  });
  console.log(results.render());
  const seconds = results.median("drover", "seconds");
  console.log(
    `${seconds <= BUDGET_SECONDS ? "ok" : "over"} facts-seconds=${seconds.toFixed(2)} (at most ${BUDGET_SECONDS})`,
  );
  if (!found) console.log("The ratio is against the same script by OpenSSH.");
  const peer = results.median(found ? "ansible setup" : "bash + ssh, same script", "seconds");
  tellRatio(peer / seconds, 1);
});
