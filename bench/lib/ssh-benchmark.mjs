import { ansible, findAnsible } from "../contenders/ansible.mjs";
import { droverSsh } from "../contenders/drover-ssh.mjs";
import { describeSsh, sshLoop } from "../contenders/ssh-loop.mjs";
import { sayLeftOut } from "./left-out.mjs";
import { describeMachine } from "./machine.mjs";
import { runRounds } from "./rounds.mjs";
import { startSshHosts } from "./ssh-hosts.mjs";
import { loadDrover } from "./store.mjs";

const ALONE = "drover, one host";

/** Check-and-run steps over several hosts, against whoever is installed. Answers with their medians in seconds. */
export async function measureSshSteps({ rounds, hosts: count, steps, dist, roundTripMs, plainAnsible = true }) {
  const { load } = await loadDrover(dist);
  const hosts = await startSshHosts({ count, roundTripMs });
  const found = findAnsible();
  const versions = [
    describeSsh(),
    ...(found ? [found.version] : []),
    ...(found?.mitogen ? [`Mitogen ${found.mitogen.version}`] : []),
  ];
  console.log(`${describeMachine()}; ${versions.join("; ")}; ${count} hosts × ${steps} steps, ${roundTripMs} ms`);
  if (!found?.mitogen) sayLeftOut(found ? "Mitogen" : "Ansible with Mitogen", "ansible-core and ansible-mitogen");
  const contenders = [
    droverSsh({ load, hosts, steps }),
    ...(roundTripMs > 0
      ? [droverSsh({ load, hosts: { ...hosts, ports: hosts.ports.slice(0, 1) }, steps, name: ALONE })]
      : []),
    sshLoop({ hosts, steps }),
    ...(found && plainAnsible ? [ansible({ name: "ansible, pipelined", hosts, steps, python: found.python })] : []),
    ...(found?.mitogen
      ? [ansible({ name: "mitogen", hosts, steps, python: found.python, mitogen: found.mitogen })]
      : []),
  ];
  const results = await runRounds({ rounds, contenders });
  console.log(results.render());
  const names = contenders.map(({ name }) => name);
  const median = (name) => (names.includes(name) ? results.median(name, "seconds") : null);
  return {
    ours: median("drover"),
    loop: median("bash + ControlMaster"),
    ansible: median("ansible, pipelined"),
    mitogen: median("mitogen"),
    trips: roundTripMs === 0 ? null : await countTrips(hosts, results),
  };
}

/** How many round trips a step takes at the most: its time, the work included, on a host that has the machine alone. */
async function countTrips(hosts, results) {
  return results.median(ALONE, "msPerStep") / (await hosts.measureRoundTrip());
}
