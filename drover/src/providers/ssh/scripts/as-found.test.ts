import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { NOTE_AS_FOUND, RESTORE_AS_FOUND } from "./note-as-found.ts";
import { argvOf, type Script } from "./script.ts";

/** A folder that stands for a machine, with the real scripts on it. */
function open() {
  const root = mkdtempSync(join(tmpdir(), "drover-as-found-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const base = join(root, "state");
  const run = (script: Script, ...values: readonly string[]) => {
    const [program, ...args] = argvOf(script, base, ...values);
    execFileSync(program, args, { stdio: ["ignore", "ignore", "ignore"] });
  };
  const at = (path: string) => join(root, path);
  const write = (path: string, text: string) => {
    mkdirSync(join(at(path), ".."), { recursive: true });
    writeFileSync(at(path), text);
  };
  const list = () =>
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((path) => !path.startsWith("state"))
      .sort();
  return {
    ...{ at, write, list },
    note: (...paths: readonly string[]) => run(NOTE_AS_FOUND, ...paths.map(at)),
    restore: () => run(RESTORE_AS_FOUND),
    noted: () => readFileSync(join(base, "as-found.tsv"), "utf8").trim().split("\n").length,
  };
}

it("puts files back with content and mode, and removes what was not there with the folders it came in", () => {
  const machine = open();
  machine.write("etc/config.toml", "as it was");
  chmodSync(machine.at("etc/config.toml"), 0o640);
  const before = machine.list();
  machine.note("etc/config.toml", "opt/cni/bin/bridge");
  machine.write("etc/config.toml", "ours");
  machine.write("opt/cni/bin/bridge", "ours");
  machine.write("opt/cni/bin/other", "somebody's, in a folder that came with ours");
  machine.restore();
  expect(machine.list()).toEqual(before);
  expect(readFileSync(machine.at("etc/config.toml"), "utf8")).toBe("as it was");
  expect(statSync(machine.at("etc/config.toml")).mode & 0o777).toBe(0o640);
});

it("takes out of a folder what came later, at every depth, and leaves what was there", () => {
  const machine = open();
  machine.write("var/lib/kubelet/kept/file with spaces", "x");
  const before = machine.list();
  machine.note("var/lib/kubelet");
  machine.write("var/lib/kubelet/pods/a/b", "x");
  machine.write("var/lib/kubelet/kept/new\nline", "x");
  machine.restore();
  expect(machine.list()).toEqual(before);
});

it("notes each thing once: the second note does not take our change for what was found", () => {
  const machine = open();
  machine.write("etc/config.toml", "as it was");
  machine.note("etc/config.toml", "usr/bin/tool");
  machine.write("etc/config.toml", "ours");
  machine.write("usr/bin/tool", "ours");
  machine.note("etc/config.toml", "usr/bin/tool", "etc/more");
  expect(machine.noted()).toBe(3);
  machine.restore();
  expect(readFileSync(machine.at("etc/config.toml"), "utf8")).toBe("as it was");
  expect(existsSync(machine.at("usr"))).toBe(false);
});

it("can be run again after it was cut off, and after it was over", () => {
  const machine = open();
  machine.write("etc/config.toml", "as it was");
  const before = machine.list();
  machine.note("etc/config.toml", "opt/x");
  machine.write("opt/x", "ours");
  machine.restore();
  machine.restore();
  expect(machine.list()).toEqual(before);
});
