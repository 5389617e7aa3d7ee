import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { atEnd, makeTemporaryFolder } from "../lib/clean-up.mjs";

const run = promisify(execFile);

/** kind or k3d as one would call it in a script, until its nodes are Ready. */
export function plainTool({ tool, version, workers }) {
  const name = `bench${process.pid}-plain`;
  const folder = makeTemporaryFolder(tool);
  const kubeconfig = join(folder, "kubeconfig");
  const { create, remove } = tool === "kind" ? kind() : k3d();
  let isThere = false;
  const stopping = new AbortController();
  atEnd(async () => {
    // One that is interrupted would go on making what is being removed.
    stopping.abort();
    if (isThere) await run(tool, remove);
  });

  function kind() {
    const image = (process.env.DROVER_KIND_IMAGE ?? "kindest/node:{version}").replace("{version}", version);
    const config = join(folder, "kind.yaml");
    const nodes = ["control-plane", ...Array(workers).fill("worker")].map((role) => ({ role, image }));
    writeFileSync(config, JSON.stringify({ kind: "Cluster", apiVersion: "kind.x-k8s.io/v1alpha4", nodes }));
    return {
      create: ["create", "cluster", "--name", name, "--config", config, "--kubeconfig", kubeconfig],
      remove: ["delete", "cluster", "--name", name, "--kubeconfig", kubeconfig],
    };
  }

  function k3d() {
    const image = (process.env.DROVER_K3D_IMAGE ?? "rancher/k3s:{version}").replace("{version}", `${version}-k3s1`);
    const counts = ["-s", "1", "-a", String(workers), "-i", image];
    return {
      create: ["cluster", "create", name, ...counts, "--timeout", "300s", "--kubeconfig-update-default=false"],
      remove: ["cluster", "delete", name],
    };
  }

  /** All of them, as Drover has it: kind's own waiting is for control planes only, and k3d's for lines of a log. */
  async function waitForNodes() {
    if (tool === "k3d") writeFileSync(kubeconfig, (await run("k3d", ["kubeconfig", "get", name])).stdout);
    const wait = ["wait", "--for=condition=Ready", "nodes", "--all", "--timeout=120s"];
    await run("kubectl", ["--kubeconfig", kubeconfig, ...wait]);
  }

  return {
    name: tool,
    prepare: async () => ({
      measure: async () => {
        isThere = true;
        const start = performance.now();
        await run(tool, create, { signal: stopping.signal });
        await waitForNodes();
        const made = performance.now();
        await run(tool, remove);
        return { "create-s": (made - start) / 1_000, "delete-s": (performance.now() - made) / 1_000 };
      },
      dispose: async () => {
        await run(tool, remove);
        isThere = false;
      },
    }),
  };
}
