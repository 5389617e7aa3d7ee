// The same files to three machines over one narrow link, by machines that hand them on, against all of it from here.
import { droverSpread, makeFiles } from "./contenders/drover-spread.mjs";
import { runBenchmark } from "./lib/clean-up.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { SSHD_FOLDER, startNarrowLink, startSshHosts } from "./lib/ssh-hosts.mjs";
import { loadDrover } from "./lib/store.mjs";

await runBenchmark(async () => {
  const size = { hosts: 3, files: 10, megabytes: 30, "link-mb-per-s": 10, "at-once": 3 };
  const {
    rounds,
    dist,
    hosts: count,
    ...options
  } = readOptions({
    small: { ...size, megabytes: 10 },
    full: size,
    // As small as machines still find it worth handing on: what takes less than two seconds from here is sent from here.
    smoke: { hosts: 2, files: 2, megabytes: 5, "link-mb-per-s": 2, "at-once": 1 },
  });
  const { load } = await loadDrover(dist);
  const hosts = await startSshHosts({ count, roundTripMs: 0 });
  const narrow = await startNarrowLink(hosts.ports, options["link-mb-per-s"] * 1e6);
  const files = makeFiles({ count: options.files, bytes: options.megabytes * 1e6 });
  console.log(
    `${describeMachine()}; ${options.files} × ${options.megabytes} MB to ${count} machines, ${options["link-mb-per-s"]} MB/s from here`,
  );
  const shared = { load, hosts, files, searchPath: SSHD_FOLDER, atOnce: options["at-once"] };
  const results = await runRounds({
    rounds,
    contenders: [
      droverSpread({ ...shared, ports: narrow, name: "drover", mayLend: true }),
      droverSpread({ ...shared, ports: narrow, name: "drover, all from here", mayLend: false }),
      droverSpread({ ...shared, ports: hosts.ports, name: "drover, wide link", mayLend: true }),
      droverSpread({ ...shared, ports: hosts.ports, name: "drover, wide link, all from here", mayLend: false }),
    ],
  });
  console.log(results.render());
  const copied = results.list("drover", "copied");
  if (copied.some((count) => count === 0)) throw new Error("No machine handed on a file over the narrow link.");
  const seconds = (name) => results.median(name, "seconds");
  const wide = seconds("drover, wide link, all from here") / seconds("drover, wide link");
  console.log(`ratio-wide-link=${wide.toFixed(2)}`);
  tellRatio(seconds("drover, all from here") / seconds("drover"), 2);
});
