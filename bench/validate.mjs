// Validation of a declared cluster: how long a document of 100 machines takes, good and bad.
import { runBenchmark } from "./lib/clean-up.mjs";
import { loadContract } from "./lib/contract.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { median } from "./lib/statistics.mjs";

const TARGET_MS = 1;

await runBenchmark(async () => {
  const { rounds, nodes, looks } = readOptions({
    small: { nodes: 100, looks: 300 },
    full: { nodes: 100, looks: 10_000 },
    smoke: { looks: 20 },
  });
  const { validateCluster } = await loadContract();
  console.log(`${describeMachine()}; ${nodes} nodes`);
  const good = makeCluster(nodes);
  const bad = { ...good, spec: { ...good.spec, ssh: { ...good.spec.ssh, nodes: good.spec.ssh.nodes.map(spoil) } } };
  assertVerdict(validateCluster(good), true);
  assertVerdict(validateCluster(bad), false);
  const results = await runRounds({
    rounds,
    contenders: [
      validation({ name: "good", validateCluster, document: good, looks }),
      validation({ name: "every node wrong", validateCluster, document: bad, looks }),
      floor({ document: good, looks }),
    ],
  });
  console.log(results.render());
  const milliseconds = results.median("good", "ms");
  console.log(`median-ms=${milliseconds.toFixed(3)}`);
  tellRatio(milliseconds / TARGET_MS, 2);
});

function validation({ name, validateCluster, document, looks }) {
  return timed({ name, looks, work: () => validateCluster(document) });
}

/** For comparison: only reading the same document from its JSON text. */
function floor({ document, looks }) {
  const text = JSON.stringify(document);
  return timed({ name: "JSON.parse alone", looks, work: () => JSON.parse(text) });
}

function timed({ name, looks, work }) {
  return {
    name,
    prepare: async () => ({
      measure: async () => {
        const times = [];
        for (let look = 0; look < looks; look++) {
          const begin = performance.now();
          work();
          times.push(performance.now() - begin);
        }
        return { ms: median(times), "first-ms": times[0] };
      },
      dispose: async () => {},
    }),
  };
}

function makeCluster(nodes) {
  return {
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name: "wide", labels: { environment: "prod" } },
    spec: {
      provider: "ssh",
      kubernetes: { version: "v1.34.4" },
      ssh: {
        distribution: "kubeadm",
        access: { credential: { name: "machines" } },
        endpoint: { type: "kube-vip", virtualIp: "192.0.2.250" },
        nodes: Array.from({ length: nodes }, (_, number) => makeNode(number)),
      },
    },
  };
}

function makeNode(number) {
  return {
    name: `node-${number}`,
    address: `192.168.${number >> 7}.${(number & 127) + 1}`,
    internalAddress: `172.20.${number >> 7}.${(number & 127) + 1}`,
    roles: number < 3 ? ["controlplane", "etcd"] : ["worker"],
    labels: { "example.com/rack": `r${number % 10}`, zone: `z${number % 3}` },
    ...(number < 3 ? {} : { taints: [{ key: "dedicated", value: "batch", effect: "NoSchedule" }] }),
  };
}

function spoil(node) {
  return { ...node, address: "-rf", roles: ["boss"] };
}

function assertVerdict(validation, expected) {
  if (validation.ok === expected) return;
  throw new Error(`Expected ok=${expected}: ${JSON.stringify(validation.problems?.slice(0, 5), null, 1)}`);
}
