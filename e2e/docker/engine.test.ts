import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DockerEngine } from "../../drover/src/connectors/docker/docker-engine.ts";
import { describeContainerEngine } from "../../drover/src/ports/container-engine.conformance.ts";
import { findFreePort } from "../../drover/test/fake-docker/fake-engine-world.ts";

const IMAGE = process.env.BED_BUSYBOX_IMAGE ?? "busybox:1";
const docker = (...args: readonly string[]): string => execFileSync("docker", args, { encoding: "utf8" });
const flags = (labels: Readonly<Record<string, string>>): string[] =>
  Object.entries(labels).flatMap(([name, value]) => ["--label", `${name}=${value}`]);

/** Everything that the suite makes carries this label, so that all of it can be found and removed. */
function clear(): void {
  const find = (...list: string[]) =>
    docker(...list, "--filter", "label=drover.test", "-q")
      .split("\n")
      .filter(Boolean);
  for (const id of find("ps", "-a")) docker("rm", "-f", "-v", id);
  for (const id of find("network", "ls")) docker("network", "rm", id);
  for (const id of find("volume", "ls")) docker("volume", "rm", id);
}

describeContainerEngine({
  name: "a real Docker engine",
  create: async () => {
    clear();
    const folder = mkdtempSync(join(tmpdir(), "drover-engine-"));
    const engine = new DockerEngine({
      host: process.env.DOCKER_HOST ?? "unix:///var/run/docker.sock",
      certificates: process.env.DOCKER_CERT_PATH ?? null,
    });
    return {
      engine,
      image: IMAGE,
      folder,
      freePort: await findFreePort(),
      createContainer: async ({ name, labels, mount, volumeAt, port, network, says, file }) => {
        const program = `for line in "$@"; do echo "$line"; done; trap 'exit 0' TERM; while :; do sleep 1; done`;
        docker(
          ...["create", "--name", name, ...flags(labels), "--network", network],
          ...["-v", `${mount.source}:${mount.destination}:ro`, "-v", volumeAt],
          ...["-p", `127.0.0.1:${port.host}:${port.container}`, IMAGE, "sh", "-c", program, "sh", ...says],
        );
        writeFileSync(join(folder, "said"), file.content);
        docker("cp", join(folder, "said"), `${name}:${file.path}`);
      },
      createNetwork: async (name, labels) => void docker("network", "create", ...flags(labels), name),
      createVolume: async (name, labels) => void docker("volume", "create", ...flags(labels), name),
      dispose: async () => {
        engine.close();
        clear();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
});
