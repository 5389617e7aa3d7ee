import { expect, it } from "vitest";
import { makeSshTarget } from "./ssh-access.ts";

const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nx\n";
const MACHINE = { address: "10.0.0.4", port: 2222, user: "debian", hostKey: "SHA256:abc" };
const SECRETS: Readonly<Record<string, object>> = {
  key: { privateKey: KEY, passphrase: "open" },
  root: { password: "r00t" },
  several: { other: KEY, password: "p" },
  empty: { token: "t" },
  agent: { agent: "" },
};
const readSecret = async (_owner: string, name: string) =>
  name in SECRETS ? Buffer.from(JSON.stringify(SECRETS[name])) : null;

const sudo = { mode: "passwordless" } as const;

it("takes key and passphrase from the secret, and pins the fingerprint", async () => {
  expect(await makeSshTarget(MACHINE, { credential: { name: "key" }, sudo }, { readSecret })).toMatchObject({
    ...{ host: "10.0.0.4", port: 2222, user: "debian", fingerprints: ["SHA256:abc"] },
    credentials: { privateKeys: [{ key: KEY, passphrase: "open" }] },
  });
});

it("takes the entry that is named, whichever of the two it is", async () => {
  const target = async (key: string) =>
    await makeSshTarget(MACHINE, { credential: { name: "several", key }, sudo }, { readSecret });
  expect((await target("other")).credentials).toMatchObject({ privateKeys: [{ key: KEY }], password: undefined });
  expect((await target("password")).credentials).toEqual({ password: "p" });
});

it("goes through the bastion, with the same user and credentials when it has none of its own", async () => {
  const bastion = { address: "bastion", port: 22 };
  const target = await makeSshTarget(MACHINE, { credential: { name: "key" }, sudo, bastion }, { readSecret });
  expect(target.via).toMatchObject({ host: "bastion", user: "debian", credentials: target.credentials });
});

it("reads the password for sudo", async () => {
  const withPassword = { mode: "password", credential: { name: "root" } } as const;
  const target = await makeSshTarget(MACHINE, { credential: { name: "key" }, sudo: withPassword }, { readSecret });
  expect(target.sudoPassword).toBe("r00t");
});

it.each(["gone", "empty"])("says what the secret %s lacks", async (name) => {
  const made = makeSshTarget(MACHINE, { credential: { name }, sudo }, { readSecret });
  await expect(made).rejects.toMatchObject({ code: "secret-not-found" });
});

it("uses the agent that the worker was given, and no other way", async () => {
  const credential = { name: "agent" };
  const source = { readSecret, agentSocket: "/run/agent" };
  expect((await makeSshTarget(MACHINE, { credential, sudo }, source)).credentials).toEqual({
    agentSocket: "/run/agent",
  });
  for (const agentSocket of [undefined, null]) {
    const made = makeSshTarget(
      MACHINE,
      { credential, sudo },
      { readSecret, ...(agentSocket === null ? { agentSocket } : {}) },
    );
    await expect(made).rejects.toMatchObject({
      code: "secret-not-found",
      message: expect.stringMatching(/--ssh-agent/),
    });
  }
});
