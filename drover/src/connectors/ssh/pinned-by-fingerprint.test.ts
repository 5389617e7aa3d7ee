import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ssh2 from "ssh2";
import { describe, expect, it, onTestFinished } from "vitest";
import { startSshd, whyNoSshd } from "../../../test/ssh/private-sshd.ts";
import { makeKeyPair } from "../../../test/ssh/ssh-server.ts";
import { fingerprintOf, parseHostKey } from "./host-key.ts";
import { SshPool } from "./ssh-pool.ts";

/** A host with a key of every usual type. */
async function open() {
  const folder = await mkdtemp(join(tmpdir(), "drover-host-keys-"));
  const pairs = {
    ed25519: makeKeyPair(),
    rsa: ssh2.utils.generateKeyPairSync("rsa", { bits: 2048 }),
    ecdsa: ssh2.utils.generateKeyPairSync("ecdsa", { bits: 384 }),
  };
  const lines: string[] = [];
  for (const type of ["rsa", "ecdsa"] as const) {
    await writeFile(join(folder, type), pairs[type].private, { mode: 0o600 });
    lines.push(`HostKey ${join(folder, type)}`);
  }
  const server = await startSshd({ hostKey: pairs.ed25519, config: lines });
  const pool = new SshPool();
  onTestFinished(async () => {
    pool.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const greet = async (fingerprint: string, more: object = {}) => {
    const connector = pool.connect({ ...server.target, hostKeys: [], fingerprints: [fingerprint], ...more });
    return (await connector.run({ argv: ["echo", "hello"] })).stdout;
  };
  return { greet, pin: (type: keyof typeof pairs) => fingerprintOf(parseHostKey(pairs[type].public)) };
}

describe.skipIf(whyNoSshd() !== null)("a host with several keys", () => {
  it.each(["ed25519", "rsa", "ecdsa"] as const)("is known by the fingerprint of its key of type %s", async (type) => {
    const { greet, pin } = await open();
    expect(await greet(pin(type))).toBe("hello\n");
    expect(await greet(pin(type), { keyTypes: ["ssh-rsa"] })).toBe("hello\n");
  });

  it("that has none with the pinned fingerprint counts as changed", async () => {
    const { greet } = await open();
    const other = fingerprintOf(parseHostKey(makeKeyPair().public));
    await expect(greet(other)).rejects.toMatchObject({
      ...{
        reason: "unreachable",
        cause: { reason: "host-key-changed", message: expect.stringContaining(other) as string },
      },
    });
  });
});
