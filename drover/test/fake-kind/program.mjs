// The part of kind that Drover uses, on a fake Docker daemon: the same names, labels, order, lines and exit codes.
// What should go wrong is told by variables: FAKE_KIND_HOLD and FAKE_KIND_FAIL name the part at which it stays for ever,
// or fails; FAKE_KIND_NEVER_READY makes waiting for the nodes end as kind does, with a warning and exit code 0.
import { parseArgs } from "node:util";
import { createCluster } from "./create-cluster.mjs";
import { askDocker, KindFailure, say } from "./docker.mjs";
import { loadImages } from "./load-images.mjs";
import { containersOf, deleteNodes } from "./nodes.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: "string", short: "n", default: "kind" },
    config: { type: "string" },
    kubeconfig: { type: "string" },
    image: { type: "string" },
    wait: { type: "string" },
    retain: { type: "boolean", default: false },
  },
});

const COMMANDS = {
  "create cluster": () => createCluster(values),
  "delete cluster": async () => {
    say(`Deleting cluster "${values.name}" ...`);
    const names = await deleteNodes(values.name);
    if (names.length > 0) say(`Deleted nodes: ${JSON.stringify(names)}`);
  },
  "get clusters": async () => {
    const labels = (await containersOf()).map(({ Labels }) => Labels["io.x-k8s.kind.cluster"]);
    const names = [...new Set(labels)].sort();
    if (names.length === 0) say("No kind clusters found.");
    for (const name of names) process.stdout.write(`${name}\n`);
  },
  "load docker-image": () => loadImages(values.name, positionals.slice(2)),
  "version ": async () => void process.stdout.write("kind v0.33.0 go1.26.8 linux/amd64\n"),
};

try {
  const command = COMMANDS[`${positionals[0]} ${positionals[1] ?? ""}`];
  if (command === undefined) throw new KindFailure(`unknown command "${positionals.join(" ")}" for "kind"`);
  await askDocker("GET", "/_ping");
  await command();
} catch (error) {
  say(`ERROR: ${error instanceof KindFailure ? error.message : error.stack}`);
  process.exitCode = 1;
}
