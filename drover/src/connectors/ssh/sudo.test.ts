import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, it, onTestFinished, vi } from "vitest";
import { openPool, openScripted } from "../../../test/ssh/servers.ts";
import { waitFor } from "../../../test/wait-for.ts";
import { SSH_SEARCH_PATH, type SshPoolOptions } from "./ssh-pool.ts";
import { explainSudoFailure } from "./sudo-error.ts";

const PASSWORD = "s3cret with spaces";

type SudoMode = "password" | "free" | "denied" | "stuck";

/** Behaves as sudo does, for whoever knows the password; writes down how it was called and how often it was asked. */
const SUDO = (folder: string, mode: SudoMode) => `#!/bin/sh
echo "$*" >>'${folder}/calls'
quiet=; prompt=
while [ $# -gt 0 ]; do
  case $1 in
    -n) quiet=yes; shift ;;
    -S|-H) shift ;;
    -p) prompt=$2; shift 2 ;;
    --) shift; break ;;
  esac
done
[ '${mode}' = stuck ] && { echo "sudo: unable to resolve host somewhere" >&2; exec cat >/dev/null; }
[ '${mode}' = denied ] && { echo "someone is not in the sudoers file." >&2; exit 1; }
if [ '${mode}' = password ]; then
  [ -n "$quiet" ] && { echo "sudo: a password is required" >&2; exit 1; }
  for try in 1 2 3; do
    printf %s "$prompt" >&2
    IFS= read -r given || { echo "sudo: no password was provided" >&2; exit 1; }
    echo asked >>'${folder}/asked'
    [ "$given" = '${PASSWORD}' ] && break
    echo "Sorry, try again." >&2
    [ $try = 3 ] && exit 1
  done
fi
unset given
exec env -u SUDO_TEST BECAME=root "$@"
`;

async function openMachine(mode: SudoMode | "missing", sudoPassword?: string, options: SshPoolOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "drover-sudo-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (mode !== "missing") {
    writeFileSync(join(folder, "sudo"), SUDO(folder, mode));
    chmodSync(join(folder, "sudo"), 0o755);
  }
  const server = await openScripted();
  const searchPath = mode === "missing" ? `${folder}:/nowhere` : `${folder}:${SSH_SEARCH_PATH}`;
  // Where there is no sudo there must still be a shell.
  if (mode === "missing") for (const name of ["env", "sh"]) linkProgram(folder, name);
  const pool = openPool({ searchPath, graceMs: 500, ...options });
  const target = { ...server.target, user: "someone", ...(sudoPassword === undefined ? {} : { sudoPassword }) };
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");
  return { server, folder, read, root: pool.connect(target, "root"), user: pool.connect(target) };
}

function linkProgram(folder: string, name: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\nexec /usr/bin/${name} "$@"\n`, { mode: 0o755 });
}

/** One that has ended and was not counted yet by its parent is not. */
function isAlive(pid: string): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "latin1") : "";
  return stat !== "" && !/\) [ZX] /.test(stat);
}

const failure = (running: Promise<unknown>) => running.then(() => null).catch((error) => error);

it("needs no password where none is asked for", async () => {
  const { root, read } = await openMachine("free");
  expect(await root.run({ argv: ["echo", "root"] })).toMatchObject({ exitCode: 0, stdout: "root\n" });
  expect(read("calls")).toMatch(/^-n -H -- sh -c/);
});

it("is not called by whoever did not want to be root", async () => {
  const { user, read } = await openMachine("free");
  await user.run({ argv: ["true"] });
  expect(read("calls")).toBe("");
});

it("gives the password by its input, and to nobody else", async () => {
  const { root, read } = await openMachine("password", PASSWORD);
  expect(await root.run({ argv: ["cat"], stdin: "for the command" })).toMatchObject({ stdout: "for the command" });
  expect(await root.runAll([{ argv: ["echo", "a"] }, { argv: ["cat"] }])).toMatchObject([
    { stdout: "a\n" },
    { stdout: "" },
  ]);
  expect(read("calls")).not.toContain("s3cret");
  const { stdout } = await root.run({ argv: ["sh", "-c", "cat /proc/*/cmdline /proc/self/environ 2>/dev/null; true"] });
  expect(stdout).not.toContain("s3cret");
});

it("is not given the password where it does not ask, so that no command reads it", async () => {
  const { root } = await openMachine("free", PASSWORD);
  expect(await root.run({ argv: ["cat"], stdin: "mine" })).toMatchObject({ stdout: "mine" });
});

it("does not take a wrong password, says so, and is not asked again", async () => {
  const { root, user, read } = await openMachine("password", "wrong");
  const error = await failure(root.run({ argv: ["true"] }));
  expect(error).toMatchObject({ reason: "denied", cause: { refusal: "wrong-password" } });
  expect(error.message).toContain("Correct the sudo password");
  expect(inspect(error, { depth: 5 })).not.toMatch(/"wrong"|'wrong'/);
  expect(await failure(root.runAll([{ argv: ["true"] }]))).toMatchObject({ reason: "denied" });
  expect(read("asked").trim().split("\n")).toHaveLength(1);
  expect(await user.run({ argv: ["true"] })).toMatchObject({ exitCode: 0 });
});

it("is told of a wrong password for a file as well", async () => {
  const { root, folder } = await openMachine("password", "wrong");
  writeFileSync(join(folder, "from"), "content");
  for (const work of [
    () => root.put(join(folder, "put"), Buffer.from("content")),
    () => root.get(join(folder, "from")),
    () => root.sendFile(join(folder, "from"), join(folder, "to")),
  ]) {
    const error = await failure(work());
    expect(error).toMatchObject({
      name: "FileError",
      reason: "denied",
      cause: { name: "CommandError", reason: "denied" },
    });
    expect(error.message).toContain("Correct the sudo password");
  }
});

it("is asked again a minute after it did not take the password", async () => {
  const { root, read } = await openMachine("password", "wrong");
  const timesAsked = () => read("asked").trim().split("\n").length;
  await failure(root.run({ argv: ["true"] }));
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now");
  onTestFinished(() => clock.mockRestore());
  clock.mockImplementation(() => now() + 30_000);
  await failure(root.run({ argv: ["true"] }));
  expect(timesAsked()).toBe(1);
  clock.mockImplementation(() => now() + 61_000);
  expect(await failure(root.run({ argv: ["true"] }))).toMatchObject({ reason: "denied" });
  expect(timesAsked()).toBe(2);
});

it("is asked again over a new connection", async () => {
  const { root, user, server, read } = await openMachine("password", "wrong");
  await failure(root.run({ argv: ["true"] }));
  server.cut();
  await waitFor(async () => {
    await failure(user.run({ argv: ["true"] }));
    expect(server.counts.connections).toBeGreaterThan(1);
  });
  expect(await failure(root.run({ argv: ["true"] }))).toMatchObject({ reason: "denied" });
  expect(read("asked").trim().split("\n")).toHaveLength(2);
});

it("has not refused when the connection breaks before it has let anybody in", async () => {
  const { root, server, read } = await openMachine("stuck");
  const timesCalled = () => read("calls").split("-n -H").length - 1;
  const running = failure(root.run({ argv: ["true"] }));
  for (const times of [1, 2]) {
    await waitFor(() => expect(timesCalled()).toBe(times));
    server.cut();
  }
  expect(await running).toMatchObject({ reason: "unreachable", cause: { reason: "lost" } });
});

it("that never lets anybody in is told as a machine that does not answer in time", async () => {
  const { root } = await openMachine("stuck", undefined, { connectMs: 4_000 });
  expect(await failure(root.run({ argv: ["true"] }))).toMatchObject({
    reason: "unreachable",
    cause: { reason: "timed-out" },
  });
});

it.each([
  ["password", "password-needed"],
  ["denied", "not-allowed"],
  ["missing", "missing"],
] as const)("says why nobody becomes root: %s", async (mode, refusal) => {
  const { root } = await openMachine(mode);
  expect(await failure(root.run({ argv: ["true"] }))).toMatchObject({ reason: "denied", cause: { refusal } });
});

it("ends what it runs with all that it has started, and puts files", async () => {
  const { root, folder } = await openMachine("password", PASSWORD);
  const script = "trap '' TERM; echo $$; (trap '' TERM; sleep 60) & echo $!; wait";
  // How long a machine takes to begin is its own affair: the deadline grows until it is enough.
  for (let deadlineMs = 800, begun = 0; begun < 2; deadlineMs *= 2) {
    const pids: string[] = [];
    const options = { deadlineMs, graceMs: 300, onLine: (line: string) => pids.push(line) };
    expect(await failure(root.run({ argv: ["sh", "-c", script] }, options))).toMatchObject({ reason: "timed-out" });
    expect(pids.filter(isAlive)).toEqual([]);
    begun = pids.length;
  }
  await root.put(join(folder, "put"), Buffer.from("content"), { mode: 0o640 });
  expect(Buffer.from(await root.get(join(folder, "put"))).toString()).toBe("content");
});

it("is understood when it fails in its own words", () => {
  const refusals = [
    ["sudo: a terminal is required to read the password", false, "password-needed"],
    ["sudo: 1 incorrect password attempt", true, "wrong-password"],
    ["Sorry, user a is not allowed to execute '/bin/sh' as root on b.", false, "not-allowed"],
    ["env: 'sudo': No such file or directory", false, "missing"],
    ["sudo: unable to stat /etc/sudoers", false, "failed"],
  ] as const;
  for (const [said, answered, refusal] of refusals)
    expect(explainSudoFailure(said, answered)).toMatchObject({ refusal });
  expect(explainSudoFailure("The shell ended without a word.", false)).toBeNull();
});
