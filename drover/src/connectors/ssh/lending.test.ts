import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findFreePort, SSHD_FOLDER, startSshd, whyNoSshd } from "../../../test/ssh/private-sshd.ts";
import { openProxy } from "../../../test/ssh/proxy.ts";
import { openPool, openServer } from "../../../test/ssh/servers.ts";
import { waitFor } from "../../../test/wait-for.ts";
import { isFileError } from "../../lib/file-error.ts";
import type { LendingOffer } from "../../ports/lend-files.ts";
import { makeKeyPair } from "./key-pair.ts";
import { placePart } from "./send-file.ts";
import type { SshConnector } from "./ssh-connector.ts";
import { SSH_SEARCH_PATH } from "./ssh-pool.ts";

const searchPath = `${SSHD_FOLDER}:${SSH_SEARCH_PATH}`;
const BYTES = 3_000_000;
/** What every machine has, as starting a command and lending a file need it. */
const STARTING = ["sh", "mktemp", "rm", "cat", "env", "setsid", "sed", "sleep", "head"];
const LENDING = ["dirname", "flock", "mkdir", "chmod", "mv", "sync", "sha256sum", "stat", "ln", "id", "grep"];

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "drover-lending-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A machine that has a file and lends it, and one that wants it; here both are this one. */
async function openMachines() {
  const folder = await makeFolder();
  const [lentFrom, path, to] = [join(folder, "incoming"), join(folder, "file"), join(folder, "copy")];
  const content = randomBytes(BYTES);
  await Promise.all([mkdir(lentFrom), writeFile(path, content)]);
  const sha256 = createHash("sha256").update(content).digest("hex");
  const { target, port } = await openServer(startSshd);
  const proxy = await openProxy(port);
  const lender = openPool({ searchPath }).connect({ ...target, port: proxy.port });
  const receiver = openPool().connect(target);
  const lending = lender.lendFiles(lentFrom);
  onTestFinished(() => lending.end());
  return { folder, lentFrom, path, to, content, sha256, proxy, lender, receiver, lending, target };
}

const listKeys = async (machine: SshConnector) =>
  (await machine.run({ argv: ["find", "/run", "-maxdepth", "1", "-name", "drover-*"] })).stdout
    .split("\n")
    .filter((name) => name !== "");

/** Other runs of these tests use the same folder: theirs go away soon, one that was left stays. */
async function expectNoKeysLeft(machine: SshConnector, before: readonly string[]): Promise<void> {
  const suspects = (await listKeys(machine)).filter((name) => !before.includes(name));
  await waitFor(async () => expect((await listKeys(machine)).filter((name) => suspects.includes(name))).toEqual([]));
}

const run = async (offer: LendingOffer, request: string) => {
  const folder = await makeFolder();
  await writeFile(join(folder, "key"), offer.privateKey, { mode: 0o600 });
  const { target } = await openServer(startSshd);
  const options = ["-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"];
  const argv = ["ssh", ...options, "-o", "BatchMode=yes", "-i", join(folder, "key")] as const;
  return await openPool()
    .connect(target)
    .run({ argv: [...argv, "-p", `${offer.port}`, "-l", offer.user, offer.address, request] });
};

describe.skipIf(whyNoSshd() !== null)("a file that another machine has", () => {
  it("is fetched from there, also when it has gone from its name, and nothing is left behind", async () => {
    const { lentFrom, path, to, content, sha256, receiver, lending } = await openMachines();
    const before = await listKeys(receiver);
    expect(await lending.add(path, sha256)).toBe(true);
    await rm(path);
    await receiver.borrowFile(await lending.offer(), to, { sha256, bytes: BYTES, mode: 0o755 });
    expect((await readFile(to)).equals(content)).toBe(true);
    expect((await stat(to)).mode & 0o777).toBe(0o755);
    await lending.end();
    expect(await readdir(lentFrom)).toEqual([]);
    await expectNoKeysLeft(receiver, before);
  });

  it("does not arrive under its name when it is another one", async () => {
    const { folder, path, to, sha256, receiver, lending } = await openMachines();
    const other = "0".repeat(64);
    await lending.add(path, other);
    const failure = await receiver.borrowFile(await lending.offer(), to, { sha256: other, bytes: 1 }).catch((e) => e);
    expect(isFileError(failure, "failed")).toBe(true);
    expect(failure.message).toMatch(/damaged/);
    const absent = await receiver.borrowFile(await lending.offer(), to, { sha256, bytes: 1 }).catch((e) => e);
    expect(absent.message).toMatch(/No such file/);
    expect(await readdir(folder)).toEqual(expect.not.arrayContaining([expect.stringMatching(/copy|part/)]));
  });

  it("leaves what was sent before to whoever goes on with it", async () => {
    const { path, to, content, sha256, receiver, lending } = await openMachines();
    const part = /temporary=(.*)/.exec(placePart(to, sha256).join("\n"))?.[1] ?? "";
    await writeFile(part, content.subarray(0, 1_000));
    await lending.add(path, sha256);
    const failure = await receiver.borrowFile(await lending.offer(), to, { sha256, bytes: BYTES }).catch((e) => e);
    expect(failure.message).toMatch(/part of it is there/);
    expect((await stat(part)).size).toBe(1_000);
  });

  it("is all that the key is good for", async () => {
    const { path, sha256, lending, content } = await openMachines();
    await lending.add(path, sha256);
    const offer = await lending.offer();
    for (const request of ["id", `${sha256} /etc/passwd`, "../host-key", "/etc/passwd", ""]) {
      expect(await run(offer, request)).toMatchObject({ stdout: "", exitCode: 1 });
    }
    expect((await run(offer, sha256)).dropped.stdout).toBeGreaterThan(content.length / 2);
    expect(await run({ ...offer, privateKey: makeKeyPair().private }, sha256)).toMatchObject({
      stdout: "",
      exitCode: 255,
    });
  });

  it.each<[string, (offer: LendingOffer) => Promise<LendingOffer>]>([
    ["nobody listens", async (offer) => ({ ...offer, port: await findFreePort() })],
    ["somebody else answers", async (offer) => ({ ...offer, hostKey: makeKeyPair().public })],
  ])("is not fetched where %s", async (_, change) => {
    const { folder, path, to, sha256, receiver, lending } = await openMachines();
    await lending.add(path, sha256);
    const offer = await change(await lending.offer());
    const failure = await receiver.borrowFile(offer, to, { sha256, bytes: BYTES }).catch((error) => error);
    expect(isFileError(failure, "failed")).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(["file", "incoming"]);
  });

  it("is not fetched by a machine without ssh, nor lent by one without sshd", async () => {
    const { lentFrom, path, to, sha256, lending, target } = await openMachines();
    await lending.add(path, sha256);
    const bare = await makeFolder();
    const poor = openPool({ searchPath: bare }).connect(target);
    for (const name of [...STARTING, ...LENDING]) await symlink(join("/usr/bin", name), join(bare, name));
    const failure = await poor.borrowFile(await lending.offer(), to, { sha256, bytes: 1 }).catch((error) => error);
    expect(failure.message).toMatch(/no ssh/);
    const without = poor.lendFiles(lentFrom);
    onTestFinished(() => without.end());
    expect(await without.add(path, sha256)).toBe(true);
    await expect(without.offer()).rejects.toThrow(/no sshd/);
  });

  it("is lent no longer than this program and its connection live", async () => {
    const { lentFrom, path, sha256, proxy, lending } = await openMachines();
    await lending.add(path, sha256);
    const { port, address } = await lending.offer();
    const [name] = await readdir(lentFrom);
    expect(existsSync(join(lentFrom, name ?? "", "host-key"))).toBe(true);
    proxy.cut();
    await waitFor(async () => expect(await readdir(lentFrom)).toEqual([]));
    await expect(fetch(`http://${address}:${port}`)).rejects.toThrow();
  });

  it("takes no channel from commands, however few a host allows", async () => {
    const folder = await makeFolder();
    await writeFile(join(folder, "file"), "content");
    const { target } = await openServer(() => startSshd({ config: ["MaxSessions 1"] }));
    const machine = openPool({ searchPath }).connect(target);
    const lending = machine.lendFiles(folder);
    onTestFinished(() => lending.end());
    expect(await lending.add(join(folder, "file"), "0".repeat(64))).toBe(true);
    expect(await machine.run({ argv: ["echo", "there"] })).toMatchObject({ stdout: "there\n" });
    await expect(lending.offer()).rejects.toThrow();
  });

  it("leaves nothing of a machine that went down meanwhile", async () => {
    const { lentFrom, path, sha256, lending, lender } = await openMachines();
    await mkdir(join(lentFrom, "lent-0123"));
    await writeFile(join(lentFrom, "lent-0123", "old"), "");
    await lending.add(path, sha256);
    const other = lender.lendFiles(lentFrom);
    onTestFinished(() => other.end());
    await other.add(path, sha256);
    const names = await readdir(lentFrom);
    expect(names).toHaveLength(2);
    expect(names).not.toContain("lent-0123");
  });
});
