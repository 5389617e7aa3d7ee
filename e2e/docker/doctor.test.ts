import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import type { Place } from "../support/place.ts";
import { makeDockerPlace } from "./support/docker-place.ts";
import { paste } from "./support/paste.ts";

let clearUp: (() => Promise<void>) | null = null;
afterEach(async () => {
  await clearUp?.();
  clearUp = null;
});

/** A machine that has these programs of this one, and no others. */
async function makeMachine(programs: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "drover-e2e-doctor-"));
  for (const name of programs)
    symlinkSync(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(folder, name));
  const place = await makeDockerPlace({ PATH: folder, ...variables });
  clearUp = async () => {
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  };
  return place;
}

interface Line {
  readonly sign: string;
  readonly detail: string;
  readonly next: string;
}

/** What stands on the screen, by what it is about. */
function readScreen(out: string): Readonly<Record<string, Line>> {
  const lines = [...out.matchAll(/^(\S) (.{16})(.*)\n(?: {18}→ (.*)\n)?/gm)];
  return Object.fromEntries(
    lines.map(([, sign = "", check = "", detail = "", next = ""]) => [check.trim(), { sign, detail, next }]),
  );
}

const URLS: Readonly<Record<string, RegExp>> = {
  kind: /^https:\/\/kind\.sigs\.k8s\.io\/dl\/v[\d.]+\/kind-\w+-\w+$/,
  k3d: /^https:\/\/github\.com\/k3d-io\/k3d\/releases\/download\/v[\d.]+\/k3d-\w+-\w+$/,
  kubectl: /^https:\/\/dl\.k8s\.io\/release\/v[\d.]+\/bin\/\w+\/\w+\/kubectl$/,
};

/** What the line calls when it is pasted: the right file from its makers, to where programs are looked for. */
function expectToInstall(name: string, next: string | undefined): void {
  const file = `/usr/local/bin/${name}`;
  const [fetch = "", allow] = paste(next ?? "").filter((call) => !call.startsWith("apt-get "));
  const start = `curl -fsSL --create-dirs -o ${file} `;
  expect(fetch.slice(0, start.length)).toBe(start);
  expect(fetch.slice(start.length)).toMatch(URLS[name] as RegExp);
  expect(allow).toBe(`chmod +x ${file}`);
}

const hasApt = existsSync("/usr/bin/apt-get");

it("says on a machine without Docker how to get it and all that goes with it", async () => {
  const place = await makeMachine([], { DROVER_DOCKER_HOST: "unix:///nowhere/docker.sock" });
  const alone = await place.run("doctor");
  const screen = readScreen(alone.out);
  expect([alone.code, alone.err]).toEqual([1, ""]);
  expect(screen["Server"]).toMatchObject({ sign: "✘", next: "drover up --detach" });
  expect(screen["Docker"]).toMatchObject({
    sign: "!",
    detail:
      "It is not installed: there is neither unix:///nowhere/docker.sock nor the command docker. Clusters of kind and k3d need it.",
  });
  if (hasApt) expect(paste(screen["Docker"]?.next ?? "")).toEqual(["apt-get update", "apt-get install -y docker.io"]);
  for (const name of Object.keys(URLS)) {
    expect(screen[name]).toMatchObject({ sign: "!", detail: expect.stringMatching(/^It is not installed\. /) });
    expectToInstall(name, screen[name]?.next);
    if (hasApt) expect(paste(screen[name]?.next ?? "")).toContain("apt-get install -y curl");
  }

  await place.must("up", "--detach");
  const served = await place.run("doctor");
  expect(served.code).toBe(0);
  expect(readScreen(served.out)).toMatchObject({
    Server: { sign: "✔" },
    Workers: { sign: "✔" },
    Docker: { sign: "!" },
  });
});

it("says to start a Docker that is installed and does not run", async () => {
  const place = await makeMachine(["docker", "curl"], { DROVER_DOCKER_HOST: "unix:///nowhere/docker.sock" });
  const { Docker } = readScreen((await place.run("doctor")).out);
  expect(Docker?.detail).toBe(
    "It does not run: unix:///nowhere/docker.sock does not answer. Clusters of kind and k3d need it.",
  );
  if (process.platform === "linux") expect(paste(Docker?.next ?? "")).toEqual(["systemctl start docker"]);
});

it("says on a machine with Docker and without kind only how to get kind", async () => {
  const place = await makeMachine(["docker", "k3d", "kubectl", "curl"]);
  await place.must("up", "--detach");
  const { code, out } = await place.run("doctor");
  expect(code).toBe(0);
  const { kind, ...others } = readScreen(out);
  for (const name of ["Docker", "k3d", "kubectl"]) expect(others[name], name).toMatchObject({ sign: "✔", next: "" });
  expect(kind).toMatchObject({ sign: "!", detail: "It is not installed. Clusters of kind need it." });
  expectToInstall("kind", kind?.next);
  expect(kind?.next).not.toContain("apt-get");
});

it("gives next moves that a shell understands for everything it complains of", async () => {
  const place = await makeMachine([], { DROVER_DOCKER_HOST: "unix:///nowhere/docker.sock" });
  const { items } = JSON.parse((await place.run("doctor", "-o", "json")).out) as {
    items: readonly { readonly check: string; readonly result: string; readonly next: string }[];
  };
  const commands = items.filter(({ result, check }) => result !== "ok" && check !== "Server");
  expect(commands.length).toBeGreaterThan(3);
  for (const { check, next } of commands) expect(paste(next).length, check).toBeGreaterThan(0);
});
