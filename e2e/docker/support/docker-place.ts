import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Place } from "../../support/place.ts";

/** Everything that a run makes begins with this, so that nothing of anybody else is ever touched. */
export const RUN = `e2e${randomBytes(2).toString("hex")}`;

/** Newest first; both have to be had as node images of kind and k3d. */
export const [NEWER, OLDER] = readVersions();

/** An image of the host's Docker that answers HTTP on port 8080. */
export const WEB_IMAGE = required("DROVER_E2E_WEB_IMAGE");

function readVersions(): readonly [string, string] {
  const [newer = "", older = ""] = required("DROVER_E2E_KUBERNETES").split(",");
  return [newer, older];
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set; e2e/README.md says what to set.`);
  return value;
}

/** Handed on to Drover as they are: which images to use, where Docker is. */
const HANDED_ON = /^(DROVER_(KIND|K3D)_|K3D_|DOCKER_)/;

/** A Drover of its own on the host's Docker. */
export async function makeDockerPlace(variables: NodeJS.ProcessEnv = {}): Promise<Place> {
  const handedOn = Object.fromEntries(Object.entries(process.env).filter(([name]) => HANDED_ON.test(name)));
  return await Place.make({
    ...handedOn,
    // So that what happens behind Drover's back is seen within the patience of a test.
    DROVER_RESYNC_INTERVAL: "5s",
    DROVER_HEALTH_INTERVAL: "10s",
    ...variables,
  });
}

/** Runs a program and answers what it printed, without the end of the last line. */
export function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

const lines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

/** Names of containers, running or not. */
export const containersOf = (name: string): readonly string[] =>
  lines(run("docker", "ps", "-a", "--format", "{{.Names}}")).filter((one) => belongsTo(one, name));

/** Everything on the Docker host that could be of clusters whose names begin like this. */
export function thingsOf(name: string): readonly string[] {
  const networks = lines(run("docker", "network", "ls", "--format", "{{.Name}}"));
  const volumes = lines(run("docker", "volume", "ls", "--format", "{{.Name}}"));
  return [...containersOf(name), ...[...networks, ...volumes].filter((one) => belongsTo(one, name))];
}

const belongsTo = (thing: string, name: string): boolean => thing.startsWith(name) || thing.startsWith(`k3d-${name}`);

/** Processes of the tools that work on clusters whose names begin like this. */
export function toolsFor(name: string): readonly string[] {
  return lines(run("ps", "-eo", "args")).filter((line) => /(^|\/)(kind|k3d) /.test(line) && line.includes(name));
}

/** k3d forgets files of its own in the temporary folder, whoever calls it; only that of a run is cleared of them. */
function removeFilesOfK3d(): void {
  const folder = process.env.DROVER_TEST_FOLDER;
  if (folder === undefined) return;
  const forgotten = readdirSync(folder).filter((name) => /^k3d-(config-tmp|hostsfile)-/.test(name));
  for (const name of forgotten) rmSync(join(folder, name), { recursive: true, force: true });
}

/** For the end of a run, however it went: takes away what is left of it, and answers what that was. */
export function sweepUp(): readonly string[] {
  removeFilesOfK3d();
  const left = [...thingsOf(RUN), ...toolsFor(RUN)];
  for (const container of containersOf(RUN)) run("docker", "rm", "-f", "-v", container);
  for (const network of lines(run("docker", "network", "ls", "--format", "{{.Name}}"))) {
    if (belongsTo(network, RUN)) run("docker", "network", "rm", network);
  }
  for (const volume of lines(run("docker", "volume", "ls", "--format", "{{.Name}}"))) {
    if (belongsTo(volume, RUN)) run("docker", "volume", "rm", volume);
  }
  return left;
}
