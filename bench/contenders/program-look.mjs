import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { countProcesses } from "../lib/count-processes.mjs";

const run = promisify(execFile);

/** As a script looks: for each cluster one call of docker and one of kubectl, which is asked for no more than readiness. */
export function programLook({ folder, clusters }) {
  const env = { PATH: process.env.PATH, HOME: folder, DOCKER_HOST: `unix://${folder}/docker.sock` };
  const lookAt = async ({ name, kubeconfig }) => {
    const filter = `label=io.x-k8s.kind.cluster=${name}`;
    const { stdout } = await run("docker", ["ps", "-a", "--filter", filter, "--format", "{{.Names}} {{.State}}"], {
      env,
    });
    if (stdout.trim().split("\n").length !== 3) throw new Error(`docker does not see ${name}: ${stdout}`);
    const ready = await run("kubectl", ["--kubeconfig", kubeconfig, "get", "--raw", "/readyz"], { env });
    if (ready.stdout.trim() !== "ok") throw new Error(`${name} is not ready: ${ready.stdout}`);
  };
  return {
    name: "docker and kubectl",
    prepare: async () => ({
      measure: async () => {
        const start = performance.now();
        const { processes } = await countProcesses(async () => {
          for (const cluster of clusters) await lookAt(cluster);
        });
        return { "look-s": (performance.now() - start) / 1_000, processes };
      },
      dispose: async () => {},
    }),
  };
}
