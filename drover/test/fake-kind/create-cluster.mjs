import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { parse } from "yaml";
import { askDocker, DockerRefusal, KindFailure, say } from "./docker.mjs";
import { containersOf, deleteNodes, putFile, runContainer } from "./nodes.mjs";

const NETWORK = process.env.KIND_EXPERIMENTAL_DOCKER_NETWORK ?? "kind";
const DEFAULT_IMAGE = "kindest/node:v1.36.1";

export async function createCluster({ name, config, image, kubeconfig, wait, retain }) {
  const { nodes = [{ role: "control-plane" }], networking = {} } = readConfig(config);
  if ((await containersOf(name)).length > 0) {
    throw new KindFailure(`failed to create cluster: node(s) already exist for a cluster with the name "${name}"`);
  }
  say(`Creating cluster "${name}" ...`);
  try {
    const made = await provision(name, nodes, networking, image);
    await setUp(name, made, networking);
    if (wait !== undefined) await waitForReady(wait);
  } catch (error) {
    if (!retain) await deleteNodes(name);
    throw error instanceof KindFailure ? new KindFailure(`failed to create cluster: ${error.message}`) : error;
  }
  exportKubeconfig(kubeconfig, name);
  say(`Set kubectl context to "kind-${name}"`);
  say(`You can now use your cluster with:\n\nkubectl cluster-info --context kind-${name} --kubeconfig ${kubeconfig}\n`);
  say("Have a nice day! 👋");
}

const readConfig = (file) => (file === undefined ? {} : (parse(readFileSync(file === "-" ? 0 : file, "utf8")) ?? {}));

/** Every part of the work is told twice: when it begins and how it ended. */
async function part(title, work) {
  say(` • ${title}  ...`);
  try {
    if (isNamed(process.env.FAKE_KIND_HOLD, title)) await new Promise((resolve) => setTimeout(resolve, 3_600_000));
    if (isNamed(process.env.FAKE_KIND_FAIL, title)) {
      throw new KindFailure('failed to init node with kubeadm: command "docker exec" failed with error: exit status 1');
    }
    const result = await work();
    say(` ✓ ${title}`);
    return result;
  } catch (error) {
    say(` ✗ ${title}`);
    throw error;
  }
}

const isNamed = (named, title) => named !== undefined && named !== "" && title.startsWith(named);

async function provision(name, nodes, networking, override) {
  const withImages = nodes.map((node) => ({ ...node, image: override ?? node.image ?? DEFAULT_IMAGE }));
  for (const image of new Set(withImages.map((node) => node.image))) {
    await part(`Ensuring node image (${image}) 🖼️`, () => ensureImage(image));
  }
  const planned = await planContainers(name, withImages, networking);
  await part(`Preparing nodes ${"📦 ".repeat(withImages.length)}`, async () => {
    await ensureNetwork();
    const results = await Promise.allSettled(planned.map((container) => runContainer(container)));
    const failed = results.find(({ status }) => status === "rejected")?.reason;
    if (failed instanceof DockerRefusal) {
      const command = `command "docker run --name ${planned[0].name}" failed with error: exit status 125`;
      throw new KindFailure(`${command}\n\nCommand Output: docker: Error response from daemon: ${failed.message}`);
    }
    if (failed !== undefined) throw failed;
  });
  return planned;
}

async function ensureImage(image) {
  const images = (await askDocker("GET", "/images/json")).flatMap(({ RepoTags }) => RepoTags);
  if (images.includes(image)) return;
  const command = `command "docker pull ${image}" failed with error: exit status 1`;
  const answer = `Error response from daemon: manifest for ${image} not found: manifest unknown`;
  throw new KindFailure(`failed to pull image "${image}": ${command}\n\nCommand Output: ${answer}`);
}

async function ensureNetwork() {
  const networks = await askDocker("GET", "/networks");
  if (networks.some(({ Name }) => Name === NETWORK)) return;
  await askDocker("POST", "/networks/create", { Name: NETWORK }).catch((error) => {
    if (!/already exists/.test(error.message)) throw error;
  });
}

async function planContainers(name, nodes, { apiServerPort, apiServerAddress = "127.0.0.1" }) {
  const count = { "control-plane": 0, worker: 0 };
  const shared = { cluster: name, network: NETWORK };
  const isBalanced = nodes.filter(({ role }) => role === "control-plane").length > 1;
  const published = {
    containerPort: 6443,
    listenAddress: apiServerAddress,
    hostPort: apiServerPort || (await findPort()),
  };
  const planned = [];
  for (const { role, image, extraMounts = [], extraPortMappings = [] } of nodes) {
    count[role] += 1;
    const suffix = count[role] === 1 ? "" : String(count[role]);
    const own = isBalanced ? { ...published, listenAddress: "127.0.0.1", hostPort: await findPort() } : published;
    const ports = role === "control-plane" ? [...extraPortMappings, own] : extraPortMappings;
    planned.push({ ...shared, name: `${name}-${role}${suffix}`, role, image, mounts: extraMounts, ports });
  }
  if (isBalanced) {
    const image = nodes[0].image;
    planned.push({
      ...shared,
      name: `${name}-external-load-balancer`,
      role: "external-load-balancer",
      image,
      ports: [published],
    });
  }
  return planned;
}

/** As kind does: tried here, and given to Docker a moment later. */
function findPort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function setUp(name, containers, { disableDefaultCNI = false }) {
  const controlPlanes = containers.filter(({ role }) => role === "control-plane");
  const workers = containers.filter(({ role }) => role === "worker");
  if (controlPlanes.length > 1) await part("Configuring the external load balancer ⚖️", async () => {});
  await part("Writing configuration 📜", async () => {
    for (const node of [...controlPlanes, ...workers]) {
      await putFile(node.name, "/kind/version", `${/:(v[^@]+)/.exec(node.image)?.[1] ?? "v1.36.1"}\n`);
    }
  });
  await part("Starting control-plane 🕹️", () =>
    putFile(controlPlanes[0].name, "/etc/kubernetes/admin.conf", adminConf(name)),
  );
  if (!disableDefaultCNI) await part("Installing CNI 🔌", async () => {});
  await part("Installing StorageClass 💾", async () => {});
  if (controlPlanes.length > 1) {
    await part("Joining more control-plane nodes 🎮", async () => {
      for (const node of controlPlanes.slice(1))
        await putFile(node.name, "/etc/kubernetes/admin.conf", adminConf(name));
    });
  }
  if (workers.length > 0) await part("Joining worker nodes 🚜", async () => {});
}

/** Whoever waits in vain is told so, and the program ends well all the same. */
async function waitForReady(wait) {
  say(` • Waiting ≤ ${wait} for control-plane = Ready ⏳  ...`);
  if (process.env.FAKE_KIND_NEVER_READY === undefined) return say(` ✓ Waiting ≤ ${wait} for control-plane = Ready ⏳`);
  say(` ✗ Waiting ≤ ${wait} for control-plane = Ready ⏳`);
  say(" • WARNING: Timed out waiting for Ready ⚠️");
}

/** Under a lock that a killed run leaves behind for ever. */
function exportKubeconfig(path, name) {
  try {
    closeSync(openSync(`${path}.lock`, "wx"));
  } catch {
    throw new KindFailure(`failed to create cluster: failed to lock config file: open ${path}.lock: file exists`);
  }
  writeFileSync(path, adminConf(name), { mode: 0o600 });
  rmSync(`${path}.lock`);
}

const adminConf = (name) => `apiVersion: v1
kind: Config
clusters:
- name: ${name}
  cluster:
    certificate-authority-data: ZmFrZQ==
    server: https://${name}-control-plane:6443
contexts:
- name: kubernetes-admin@${name}
  context:
    cluster: ${name}
    user: kubernetes-admin
current-context: kubernetes-admin@${name}
users:
- name: kubernetes-admin
  user:
    client-certificate-data: ZmFrZQ==
    client-key-data: ZmFrZQ==
`;
