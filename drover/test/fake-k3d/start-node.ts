import type { FakeNode, K3dConfig } from "./config.ts";
import type { K3dRun } from "./run.ts";
import { message } from "./run.ts";

/** What k3s knows; anything else ends it. */
const KNOWN =
  /^--(disable|cluster-cidr|service-cidr|cluster-domain|node-label|tls-san|flannel-backend|kube-proxy-arg|disable-.*)(=|$)/;

/** k3d waits for a line in the log, also of a k3s that has ended, until its time is over. */
export async function startServerOrAgent(run: K3dRun, config: K3dConfig, node: FakeNode): Promise<void> {
  await run.say(`Starting node '${node.name}'`);
  await startNode(run, node.name);
  const bad = (config.options.k3s.extraArgs ?? []).find(({ arg }) => node.role === "server" && !KNOWN.test(arg));
  if (bad === undefined) return;
  const [flag = ""] = bad.arg.split("=");
  const fatal = `time="2026-01-01T00:00:00Z" level=fatal msg="flag provided but not defined: -${flag}"`;
  await run.docker.ask("POST", `/fake/containers/${node.name}/log`, Buffer.from(fatal));
  await run.wait(Number.parseInt(config.options.k3d.timeout, 10) * 1_000);
  throw new Error(
    `Failed to start server ${node.name}: Node ${node.name} failed to get ready: error waiting for log line \`k3s is up and running\` from node '${node.name}': stopped returning log lines: context deadline exceeded`,
  );
}

export async function startNode(run: K3dRun, name: string): Promise<void> {
  try {
    await run.docker.start(name);
  } catch (error) {
    throw new Error(`runtime failed to start node '${name}': Error response from daemon: ${message(error)}`);
  }
  await run.docker.put(name, "/output/kubeconfig.yaml", kubeconfigOf(name));
}

/** As k3s writes it. */
const kubeconfigOf = (name: string): string =>
  [
    "apiVersion: v1",
    "clusters:",
    "- cluster:",
    "    certificate-authority-data: Q0E=",
    "    server: https://127.0.0.1:6443",
    "  name: default",
    "contexts:",
    "- context:",
    "    cluster: default",
    "    user: default",
    "  name: default",
    "current-context: default",
    "kind: Config",
    "users:",
    "- name: default",
    "  user:",
    `    client-certificate-data: ${Buffer.from(name).toString("base64")}`,
    "    client-key-data: S0VZ",
    "",
  ].join("\n");
