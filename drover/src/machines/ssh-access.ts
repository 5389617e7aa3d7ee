import { DroverError, type SshSpec } from "@drover/contract";
import type { SshCredentials, SshTarget } from "../ports/ssh-target.ts";
import { NAMED_SECRETS } from "../ports/store/index.ts";

/** Where a machine is, and how it is known. */
export interface MachineAddress {
  readonly address: string;
  readonly port: number;
  readonly user: string;
  /** The fingerprint of its host key, as `ssh-keygen -l` prints it; null while none is pinned. */
  readonly hostKey: string | null;
}

export type SshAccess = Pick<SshSpec["access"], "credential" | "sudo" | "bastion">;

/** Reads a secret of Drover's; null when there is none of that name. */
export type ReadSecret = (owner: string, name: string) => Promise<Uint8Array | null>;

/** What a worker lets itself in with. */
export interface CredentialSource {
  readonly readSecret: ReadSecret;
  /** Of an SSH agent beside the worker, which secrets may refer to. */
  readonly agentSocket?: string | null;
}

/** Everything that the connector needs to be let in. Rejects with `secret-not-found` when a secret does not do. */
export async function makeSshTarget(
  machine: MachineAddress,
  access: SshAccess,
  source: CredentialSource,
): Promise<SshTarget> {
  const { readSecret } = source;
  const credentials = await readCredentials(access.credential, source);
  const { sudo, bastion } = access;
  const sudoPassword =
    sudo.mode === "password" && sudo.credential !== undefined
      ? await readEntry(sudo.credential, "password", readSecret)
      : undefined;
  return {
    ...placeOf(machine),
    ...{ credentials, sudoPassword },
    ...(bastion === undefined
      ? {}
      : {
          via: {
            ...placeOf({ ...bastion, user: bastion.user ?? machine.user, hostKey: bastion.hostKey ?? null }),
            credentials:
              bastion.credential === undefined ? credentials : await readCredentials(bastion.credential, source),
          },
        }),
  };
}

function placeOf({ address, port, user, hostKey }: MachineAddress) {
  return { host: address, port, user, hostKeys: [], fingerprints: hostKey === null ? [] : [hostKey] };
}

interface SecretReference {
  readonly name: string;
  readonly key?: string | undefined;
}

/**
 * Entries `privateKey` with an optional `passphrase`, and `password`; or the one entry that the reference names; or
 * `agent`, whatever it holds, for the keys of the agent beside the worker.
 */
async function readCredentials(reference: SecretReference, source: CredentialSource): Promise<SshCredentials> {
  const entries = await readEntries(reference, source.readSecret);
  if ((reference.key ?? "agent") === "agent" && entries["agent"] !== undefined) return askAgent(reference, source);
  const { passphrase } = entries;
  const named = reference.key === undefined ? undefined : entries[reference.key];
  if (reference.key !== undefined && named === undefined) throw lacks(reference, `the entry ${reference.key}`);
  const key = named === undefined ? entries["privateKey"] : isPrivateKey(named) ? named : undefined;
  const password = named === undefined ? entries["password"] : isPrivateKey(named) ? undefined : named;
  if (key === undefined && password === undefined) throw lacks(reference, "an entry privateKey or password");
  return { ...(key === undefined ? {} : { privateKeys: [{ key, passphrase }] }), password };
}

function askAgent({ name }: SecretReference, { agentSocket }: CredentialSource): SshCredentials {
  if (agentSocket) return { agentSocket };
  throw new DroverError(
    "secret-not-found",
    `The secret ${name} refers to an SSH agent, and this worker has none: start it with --ssh-agent, or store a key.`,
  );
}

const isPrivateKey = (text: string): boolean => text.trimStart().startsWith("-----BEGIN ");

async function readEntry(reference: SecretReference, usual: string, readSecret: ReadSecret): Promise<string> {
  const key = reference.key ?? usual;
  const value = (await readEntries(reference, readSecret))[key];
  if (value === undefined) throw lacks(reference, `the entry ${key}`);
  return value;
}

async function readEntries({ name }: SecretReference, readSecret: ReadSecret): Promise<Record<string, string>> {
  const bytes = await readSecret(NAMED_SECRETS, name);
  if (bytes !== null) return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, string>;
  throw new DroverError(
    "secret-not-found",
    `The secret ${name} that the spec names is not there. Store it, then retry.`,
  );
}

function lacks({ name }: SecretReference, what: string): DroverError {
  return new DroverError("secret-not-found", `The secret ${name} lacks ${what}. Store it again with it, then retry.`);
}
