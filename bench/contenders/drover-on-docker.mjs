import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBuild } from "../../scripts/lib/ensure-build.mjs";
import { makeTemporaryFolder } from "../lib/clean-up.mjs";
import { startNode, waitFor } from "../lib/processes.mjs";

const BIN = fileURLToPath(new URL("../../drover/bin/drover.mjs", import.meta.url));
const HANDED_ON = /^(DROVER_(KIND|K3D)_|K3D_|DOCKER_)/;

/** `drover up` on SQLite with all its defaults; from the request until the job has ended, nodes Ready and all. */
export function droverOnDocker({ tool, version, workers }) {
  const name = `bench${process.pid}-drover`;
  const counts = tool === "kind" ? { controlPlanes: 1, workers } : { servers: 1, agents: workers };
  const spec = { provider: tool, kubernetes: { version }, [tool]: counts };
  const document = { apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name }, spec };
  return {
    name: `drover with ${tool}`,
    prepare: async () => {
      await ensureBuild();
      const dataDir = makeTemporaryFolder("drover");
      const handedOn = Object.fromEntries(Object.entries(process.env).filter(([key]) => HANDED_ON.test(key)));
      const env = { ...handedOn, HOME: dataDir, DROVER_DATA_DIR: dataDir, DROVER_LISTEN_PORT: "0" };
      const drover = startNode([BIN, "up"], { env });
      const { url, token } = await waitFor(() => readAccess(dataDir), { why: drover.complaint });
      const ask = async (method, path, body) => {
        const answer = await fetch(new URL(path, url), {
          method,
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
        return JSON.parse(text);
      };
      const ended = async (jobId) => {
        const job = await waitFor(
          async () => {
            const seen = await ask("GET", `/api/v1/jobs/${jobId}`);
            return ["Succeeded", "Failed", "Canceled"].includes(seen.state) ? seen : null;
          },
          { patienceMs: 600_000, everyMs: 20 },
        );
        if (job.state !== "Succeeded") throw new Error(`The job ended as ${job.state}: ${JSON.stringify(job.error)}`);
      };
      return {
        measure: async () => {
          const start = performance.now();
          await ended((await ask("POST", "/api/v1/clusters", document)).jobId);
          const made = performance.now();
          await ended((await ask("DELETE", `/api/v1/clusters/${name}`)).jobId);
          return { "create-s": (made - start) / 1_000, "delete-s": (performance.now() - made) / 1_000 };
        },
        dispose: async () => await drover.kill(),
      };
    },
  };
}

function readAccess(dataDir) {
  try {
    return JSON.parse(readFileSync(join(dataDir, "cli.json"), "utf8"));
  } catch {
    return null;
  }
}
