import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { COUNT_WRITTEN } from "../steps/rewrite-ssh-secrets.ts";
import { APPLY_SETTINGS, DROP_FILES } from "./apply-settings.ts";
import { BUILD_ETCD, RESTORE_ETCD } from "./control-plane.ts";
import { IMPORT_IMAGES } from "./import-images.ts";
import { argvOf, type Script } from "./script.ts";

/** The real scripts, with programs of the test in the place of those of a machine. */
function open(programs: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "drover-scripts-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const at = (path: string) => join(root, path);
  mkdirSync(at("bin"));
  for (const [name, text] of Object.entries({ sync: "", ...programs })) {
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\nroot=${root}\n${text}\n`);
    chmodSync(at(`bin/${name}`), 0o755);
  }
  const write = (path: string, text: string) => {
    mkdirSync(join(at(path), ".."), { recursive: true });
    writeFileSync(at(path), text);
  };
  const read = (path: string) => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : null);
  const run = (script: Script, ...values: readonly string[]) => {
    const [program, ...args] = argvOf(script, ...values);
    const env = { ...process.env, PATH: `${at("bin")}:${process.env["PATH"]}` };
    const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: "utf8", timeout: 20_000 });
    return { status, stdout, stderr };
  };
  return { at, write, read, run };
}

describe("settings of a node", () => {
  /** `broken` lies there for a unit that comes up to go down again. */
  const SYSTEMCTL = `
echo "$*" >> "$root/called"
case "$*" in
  *MainPID*) if [ -e "$root/broken" ]; then date +%s%N; else echo 7; fi ;;
  "is-active kubelet") echo active ;;
esac`;
  const programs = { systemctl: SYSTEMCTL, sysctl: "", ctr: "", sleep: "", journalctl: "echo unknown flag" };
  const apply = (machine: ReturnType<typeof open>, member: string) =>
    machine.run(APPLY_SETTINGS, ...["x", machine.at("containerd"), "c1", machine.at("kubelet"), "k1", member]);

  it("count as taken only when what was restarted stays up; otherwise its last words are told", () => {
    const machine = open(programs);
    machine.write("broken", "");
    machine.write("containerd", "c1");
    expect(apply(machine, "member")).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/kubelet does not stay up.*\n.*unknown flag/),
    });
    expect(machine.read("kubelet")).toBeNull();
    rmSync(machine.at("broken"));
    expect(apply(machine, "member").status).toBe(0);
    expect(machine.read("kubelet")).toBe("k1");
  });

  it("are not waited for on a machine that is no node yet", () => {
    const machine = open({ ...programs, sleep: "exit 1" });
    expect(apply(machine, "").status).toBe(0);
    expect(machine.read("called")).not.toContain("MainPID");
  });
});

it("files that are declared no more go, and what was found in their place comes back", () => {
  const machine = open({});
  machine.write("state/before/copy", "as it was");
  machine.write("certs.d/a/hosts.toml", "ours");
  machine.write("certs.d/b/hosts.toml", "ours");
  const path = machine.at("certs.d/a/hosts.toml");
  machine.write("state/as-found.tsv", `file\t${path}\t${machine.at("state/before/copy")}\n`);
  expect(machine.run(DROP_FILES, machine.at("state"), path, machine.at("certs.d/b/hosts.toml")).status).toBe(0);
  expect(machine.read("certs.d/a/hosts.toml")).toBe("as it was");
  expect(existsSync(machine.at("certs.d/b"))).toBe(false);
});

describe("the count of what a key has written", () => {
  const DATABASE = `
case "$*" in
  *json*) echo '{"header":{"revision":12},"kvs":[]}' ;;
  *--keys-only*) printf '/registry/secrets/a/b\\n\\n/registry/secrets/a/c\\n' ;;
  *) printf 'k8s:enc:one:\\001\\000x\\nplain\\n' ;;
esac`;
  const count = (etcdctl: string) => open({ etcdctl }).run(COUNT_WRITTEN, "k8s:enc:one:", "etcdctl");

  it("is of all Secrets, and of those", () => {
    expect(count(DATABASE)).toMatchObject({ status: 0, stdout: "2 1\n" });
  });

  it("fails with the database, at whichever question", () => {
    expect(count("exit 1").status).not.toBe(0);
    expect(count("echo '{}'")).toMatchObject({ status: 1, stderr: expect.stringMatching(/no revision/) });
    for (const question of ["json", "--keys-only", "--print-value-only"]) {
      const broken = `case "$*" in *${question}*) exit 3 ;; esac\n${DATABASE}`;
      expect(count(broken).status, question).not.toBe(0);
    }
  });
});

describe("a database out of a snapshot", () => {
  const ETCDUTL = `
[ -e "$root/full" ] && { echo "no space left on device" >&2; exit 1; }
while [ "$1" != --data-dir ]; do shift; done
mkdir -p "$2/member"
echo restored > "$2/member/db"`;
  const member = ["m", "https://m:2380", "m=https://m:2380", "t"];

  it("is made beside the one that runs, which stays as it is until they are swapped", () => {
    const machine = open({ etcdutl: ETCDUTL });
    machine.write("data/member/db", "now");
    machine.write("full", "");
    const build = () => machine.run(BUILD_ETCD, "r1", "snapshot", machine.at("data/drover-restore"), ...member);
    expect(build().status).not.toBe(0);
    expect(machine.read("data/drover-restore/whole")).toBeNull();
    rmSync(machine.at("full"));
    expect(build().status).toBe(0);
    expect(machine.read("data/member/db")).toBe("now");
    // Nothing is made a second time when the control planes are stopped.
    machine.write("full", "");
    expect(machine.run(RESTORE_ETCD, "r1", "snapshot", machine.at("data"), ...member).status).toBe(0);
    expect(machine.read("data/member/db")).toBe("restored\n");
    expect(machine.read("data/drover-restore/old/db")).toBe("now");
  });
});

it("a full disk is told with its host and the next move", () => {
  const machine = open({ ctr: "echo 'write /x: no space left on device'; exit 1", uname: "echo cp-1" });
  expect(machine.run(IMPORT_IMAGES, machine.at(""), "sum", "archive")).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/no room left on cp-1.*Free some/),
  });
});
