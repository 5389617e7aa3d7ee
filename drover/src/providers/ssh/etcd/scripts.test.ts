import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { argvOf, type Script } from "../scripts/script.ts";
import { MAKE_CERTIFICATES, POINT_API_SERVER } from "./scripts.ts";

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "drover-etcd-scripts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function run(script: Script, ...values: readonly string[]): void {
  const [program, ...args] = argvOf(script, ...values);
  execFileSync(program, args, { stdio: ["ignore", "ignore", "pipe"], timeout: 20_000 });
}

it("changes nothing in the manifest of an API server but its members, and waits until one runs with them", () => {
  const folder = openFolder();
  const manifest = join(folder, "manifest.yaml");
  const servers = `https://10.0.0.1:2379,https://[2001:db8::${process.pid}]:2379`;
  writeFileSync(manifest, "spec:\n    - --etcd-cafile=/x\n    - --etcd-servers=https://10.0.0.9:2379\n    - --v=1\n");
  const program = join(folder, "kube-apiserver");
  copyFileSync(execFileSync("sh", ["-c", "command -v sh"], { encoding: "utf8" }).trim(), program);
  const child: ChildProcess = spawn(program, ["-c", "read line", `--etcd-servers=${servers}`], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  onTestFinished(() => void child.kill());
  run(POINT_API_SERVER, manifest, join(folder, "aside"), servers, "true");
  expect(readFileSync(manifest, "utf8")).toBe(
    `spec:\n    - --etcd-cafile=/x\n    - --etcd-servers=${servers}\n    - --v=1\n`,
  );
  expect(existsSync(join(folder, "aside"))).toBe(false);
});

/** Stands for kubeadm: writes what it was asked for, with the authority that it finds. */
function fakeKubeadm(folder: string): string {
  const program = join(folder, "kubeadm");
  writeFileSync(
    program,
    `#!/bin/sh
set -eu
cd "$(cat "$6")/etcd"
case $4 in
  etcd-ca) [ -e ca.key ] || { echo "authority $$" > ca.key; cp ca.key ca.crt; } ;;
  *) cat ca.key > "\${4#etcd-}.crt"; echo key > "\${4#etcd-}.key" ;;
esac
`,
    { mode: 0o755 },
  );
  writeFileSync(join(folder, "config"), join(folder, "etcd/new"));
  return program;
}

it("makes the authority once, keeps it when the others are made anew, and never makes another one unasked", () => {
  const folder = openFolder();
  const kubeadm = fakeKubeadm(folder);
  const base = join(folder, "etcd");
  mkdirSync(base);
  const make = (when: string) => run(MAKE_CERTIFICATES, base, kubeadm, join(folder, "config"), when);
  const authority = () => readFileSync(join(base, "pki/ca.key"), "utf8");
  expect(() => make("")).toThrow(/authority/);
  make("begin");
  const first = authority();
  make("begin");
  make("");
  expect(authority()).toBe(first);
  // Cut off between the two moves.
  execFileSync("mv", [join(base, "pki"), join(base, "pki.old")]);
  mkdirSync(join(base, "pki"));
  make("begin");
  expect(authority()).toBe(first);
  expect(readdirSync(base)).toEqual(["pki"]);
  expect(readdirSync(join(base, "pki")).sort()).toEqual([
    ...["ca.crt", "ca.key", "peer.crt", "peer.key", "server.crt", "server.key"],
  ]);
});
