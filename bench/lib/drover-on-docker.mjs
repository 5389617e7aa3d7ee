import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBuild } from "../../scripts/lib/ensure-build.mjs";
import { makeTemporaryFolder } from "./clean-up.mjs";
import { startNode, waitFor } from "./processes.mjs";

const BIN = fileURLToPath(new URL("../../drover/bin/drover.mjs", import.meta.url));
/** Which images to use, where Docker is. */
const HANDED_ON = /^(DROVER_(KIND|K3D)_|K3D_|DOCKER_)/;

/** `drover up` on SQLite with all its defaults, but for the variables given. */
export async function startDroverOnDocker(variables = {}) {
  await ensureBuild();
  const dataDir = makeTemporaryFolder("drover");
  const handedOn = Object.fromEntries(Object.entries(process.env).filter(([key]) => HANDED_ON.test(key)));
  const env = { ...handedOn, HOME: dataDir, DROVER_DATA_DIR: dataDir, DROVER_LISTEN_PORT: "0", ...variables };
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
  /** As the CLI waits: asking again and again would load the machine whose work is measured. */
  const untilEnded = async ({ jobId }) => {
    const log = await fetch(new URL(`/api/v1/jobs/${jobId}/log/stream`, url), {
      headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
      signal: AbortSignal.timeout(600_000),
    });
    let tail = "";
    for await (const chunk of log.body.pipeThrough(new TextDecoderStream())) {
      tail = (tail + chunk).slice(-10_000);
      if (/^event: ?end$/m.test(tail)) break;
    }
    const job = await ask("GET", `/api/v1/jobs/${jobId}`);
    if (job.state !== "Succeeded") throw new Error(`The job ended as ${job.state}: ${JSON.stringify(job.error)}`);
  };
  return {
    ask,
    create: async (name, spec) => {
      const document = { apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name }, spec };
      await untilEnded(await ask("POST", "/api/v1/clusters", document));
    },
    remove: async (name) => await untilEnded(await ask("DELETE", `/api/v1/clusters/${name}`)),
    stop: drover.kill,
  };
}

function readAccess(dataDir) {
  try {
    return JSON.parse(readFileSync(join(dataDir, "cli.json"), "utf8"));
  } catch {
    return null;
  }
}
