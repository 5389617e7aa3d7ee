import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeCluster, Place, type Ran, waitUntil } from "../support/place.ts";
import { listExamples } from "./support/list-examples.ts";

const HELPS = await listExamples();
const EXAMPLES = HELPS.flatMap(({ name, examples }) => examples.map((example) => [example, name] as const));

/** These run on a machine rather than ask a server, so each gets a machine of its own. */
const LOCAL =
  /^drover (up|server|worker|reconcile|demo|status|down|store|backup (?!cluster|list|drill)|restore (?!.*--backup))\b/;
/** These go on until they are asked to end. */
const ENDLESS = /^drover (up(?! .*--detach)|server|worker)\b|--watch/;

/** Codes other than 0 that are an answer. */
const OTHER_CODES: readonly (readonly [RegExp, number])[] = [
  [/^drover diff/, 3],
  // Nobody listens where the machines of the examples are.
  [/^drover machine check/, 3],
  [/^drover machine (facts|accept-key)/, 1],
  [/^drover status/, 1],
  // Simulated clusters have neither.
  [/^drover (backup cluster|certs|rotate|restore .*--backup)/, 1],
  [/^drover backup drill/, 2],
];

const KUBECONFIG = `apiVersion: v1
kind: Config
clusters: [{ name: prod, cluster: { server: "https://127.0.0.1:6443" } }]
users: [{ name: admin, user: { token: abc } }]
contexts: [{ name: admin@prod, context: { cluster: prod, user: admin } }]
`;

const ENVIRONMENTS = "env,provider,cluster_subnet\ndev-9,k3d,10.101.0.0/16\n";

const MACHINES_CLUSTER = `apiVersion: drover.dev/v1alpha1
kind: Cluster
metadata: { name: on-machines }
spec:
  provider: ssh
  kubernetes: { version: v1.34.4 }
  ssh:
    distribution: kubeadm
    access: { credential: { name: ssh-key } }
    artifacts: { source: directory, location: /srv/artifacts }
    schedulableControlPlane: true
    nodes: [{ name: web-1, address: 127.0.0.31, roles: [controlplane, etcd] }]
`;

/** What has to be there, so that an example makes sense. */
const SCENES: readonly (readonly [RegExp, (place: Place) => Promise<unknown>])[] = [
  [/^drover create cluster (demo|dev-1)/, (place) => clear(place, "demo", "dev-1")],
  [/^drover delete/, (place) => clear(place, "dev-1")],
  [/^drover delete/, (place) => place.must("apply", "-f", "clusters/dev-1.yaml", "--wait")],
  [/^drover (cancel|retry|rollback)/, (place) => changeDemo(place)],
  [/^drover retry/, (place) => place.must("cancel", "demo", "--wait")],
  [/^drover adopt/, (place) => place.run("import", "kubeconfig", "admin.conf", "--context", "admin@prod=prod-1")],
  [/^drover resume/, (place) => place.must("pause", "demo")],
  [/^drover unprotect/, (place) => place.must("protect", "demo")],
  [/^drover batch (pause|resume|cancel)/, (place) => startSlowBatch(place)],
  [/^drover batch resume/, (place) => place.must("batch", "pause", "latest")],
  [/^drover (store )?restore (?!.*--backup)/, (place) => place.must("store", "backup", "drover-backup.db")],
  [
    /^drover (store )?restore (?!.*--backup)/,
    async (place) => place.write("master.key", place.read("data/master.key")),
  ],
  [/^drover machine/, (place) => enrollMachine(place)],
  [/^drover machine enroll/, (place) => place.ask("DELETE", "/api/v1/machines/web-1")],
  [/^drover secret delete/, (place) => place.must("secret", "set", "old-key", "--from-file", "privateKey=id_ed25519")],
  [/^drover down/, (place) => place.must("up", "--detach")],
];

async function clear(place: Place, ...names: readonly string[]): Promise<void> {
  for (const name of names) await place.run("delete", name, "--yes", "--wait");
}

/** `web-1` alone, with the key that the examples name. */
async function enrollMachine(place: Place): Promise<void> {
  const key = { name: "ssh-key", entries: { privateKey: place.read("id_ed25519") } };
  expect([201, 409]).toContain((await place.ask("POST", "/api/v1/secrets", key)).status);
  for (const name of ["web-1", "web-2", "web-3", "db-1", "list-1"]) {
    expect([204, 404]).toContain((await place.ask("DELETE", `/api/v1/machines/${name}`)).status);
  }
  const machine = { name: "web-1", address: "127.0.0.31", credential: { name: "ssh-key" } };
  expect((await place.ask("POST", "/api/v1/machines", { machines: [machine] })).status).toBe(201);
}

/** A change of demo that takes a while. */
async function changeDemo(place: Place): Promise<void> {
  place.write("slow.yaml", describeCluster("demo", { workers: 20, ms: 2_000 }));
  await place.must("apply", "-f", "slow.yaml");
}

let batches = 0;

/** Waits for its turn until its only cluster has been made, which takes a while. */
async function startSlowBatch(place: Place): Promise<void> {
  const name = `slow-${++batches}`;
  place.write("slow-batch.yaml", describeCluster(name, { workers: 5, ms: 3_000 }));
  await place.must("apply", "-f", "slow-batch.yaml");
  await place.must("batch", "start", "reconcile", "--cluster", name, "--reason", "for the example");
}

async function makePlace(): Promise<Place> {
  const place = await Place.make();
  place.write("cluster.yaml", describeCluster("demo", { workers: 3 }));
  place.write("clusters/dev-1.yaml", describeCluster("dev-1"));
  place.write("clusters/more.yaml", `${describeCluster("dev-3")}---\n${describeCluster("dev-4")}`);
  place.write("admin.conf", KUBECONFIG);
  place.write("environments.csv", ENVIRONMENTS);
  place.write("id_ed25519", "-----BEGIN OPENSSH PRIVATE KEY-----\n");
  place.write("machines.csv", "name,address\nlist-1,127.0.0.41\n");
  place.write("machines-cluster.yaml", MACHINES_CLUSTER);
  place.write("password.txt", "correct horse battery staple\n");
  return place;
}

/** As if it were pasted into a shell. */
async function paste(place: Place, example: string): Promise<Ran> {
  const server = LOCAL.test(example) ? "" : place.url;
  const isEndless = ENDLESS.test(example);
  // What is pasted here speaks to this machine alone.
  const pasted = example.replaceAll("http://127.0.0.1:8420", server).replaceAll("10.0.0.", "127.0.0.");
  writeFileSync(join(place.folder, "example.sh"), `${isEndless ? "exec " : ""}${pasted}\n`);
  const started = place.start("bash", ["example.sh"]);
  if (isEndless) {
    let isOver = false;
    void started.ended.then(() => {
      isOver = true;
    });
    // A line says that it has begun; before that it could not be asked to end.
    await waitUntil(() => isOver || /\n/.test(started.seen.out + started.seen.err), `${example} to say something`);
    started.child.kill("SIGINT");
  }
  return await started.ended;
}

it("shows examples for every command", () => {
  expect(HELPS.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
});

describe("an example of a command that asks a server", () => {
  let place: Place;
  beforeAll(async () => {
    place = await makePlace();
    await place.must("up", "--detach");
    place.write("token.txt", await place.must("token", "create", "example", "--role", "operator"));
    const made = await paste(place, "drover user create bob --role operator --password-stdin < password.txt");
    expect(made.code, made.err).toBe(0);
  });
  afterAll(() => place.dispose());

  it.each(EXAMPLES.filter(([example]) => !LOCAL.test(example)))("works when pasted: %s", async (example) => {
    const { json: demo } = await place.ask("GET", "/api/v1/clusters/demo");
    if (demo?.status?.phase !== "Running") {
      await place.run("cancel", "demo", "--wait");
      await clear(place, "demo");
      await place.must("apply", "-f", "cluster.yaml", "--wait");
    }
    for (const [pattern, prepare] of SCENES) if (pattern.test(example)) await prepare(place);
    const { code, out, err } = await paste(place, example);
    const allowed = [0, ...OTHER_CODES.filter(([pattern]) => pattern.test(example)).map(([, other]) => other)];
    expect(allowed, `${out}${err}`).toContain(code);
  });
});

describe("an example of a command that runs Drover", () => {
  it.each(EXAMPLES.filter(([example]) => LOCAL.test(example)))("works when pasted: %s", async (example) => {
    const place = await makePlace();
    try {
      await place.must("store", "check");
      for (const [pattern, prepare] of SCENES) if (pattern.test(example)) await prepare(place);
      const { code, out, err } = await paste(place, example);
      const allowed = [0, ...OTHER_CODES.filter(([pattern]) => pattern.test(example)).map(([, other]) => other)];
      expect(allowed, `${out}${err}`).toContain(code);
    } finally {
      await place.dispose();
    }
  });
});
