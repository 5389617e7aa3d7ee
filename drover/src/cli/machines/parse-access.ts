import { parsePairs } from "../flags.ts";
import { UsageError } from "../usage-error.ts";

/** How machines are reached, as flags and columns say it. */
export interface AccessFlags {
  readonly user?: string;
  readonly port?: number;
  readonly credential?: string;
  readonly sudo?: string;
  readonly bastion?: string;
  readonly bastionCredential?: string;
  readonly bastionHostKey?: string;
  readonly label?: readonly string[];
}

/** The same as the server takes it; what was not given is left out. */
export function parseAccess(given: AccessFlags): Readonly<Record<string, unknown>> {
  const { user, port, credential, sudo, bastion, label } = given;
  return {
    ...(user === undefined ? {} : { user }),
    ...(port === undefined ? {} : { port }),
    ...(credential === undefined ? {} : { credential: parseSecret(credential) }),
    ...(sudo === undefined ? {} : { sudo: parseSudo(sudo) }),
    ...(bastion === undefined ? {} : { bastion: { ...parsePlace(bastion), ...bastionKeys(given) } }),
    ...(label === undefined ? {} : { labels: parsePairs(label) }),
  };
}

/** `name`, or `name:entry` where the secret has several. */
function parseSecret(text: string): { readonly name: string; readonly key?: string } {
  const at = text.indexOf(":");
  return at === -1 ? { name: text } : { name: text.slice(0, at), key: text.slice(at + 1) };
}

function parseSudo(text: string): object {
  if (text === "none" || text === "passwordless") return { mode: text };
  const [, secret] = /^password:(.+)$/.exec(text) ?? [];
  if (secret !== undefined) return { mode: "password", credential: parseSecret(secret) };
  throw new UsageError(`"${text}" must be none, passwordless, or password:<secret>.`);
}

/** `user@host:port`, of which only the host is needed. */
function parsePlace(text: string): object {
  const [, user, bracketed, plain, port] = /^(?:([^@]+)@)?(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? plain;
  if (address === undefined) throw new UsageError(`"${text}" must be written as user@host:port.`);
  return {
    address,
    ...(user === undefined ? {} : { user }),
    ...(port === undefined ? {} : { port: Number(port) }),
  };
}

/** What a bastion is let in with and known by. */
export const bastionKeys = ({ bastionCredential, bastionHostKey }: AccessFlags): object => ({
  ...(bastionCredential === undefined ? {} : { credential: parseSecret(bastionCredential) }),
  ...(bastionHostKey === undefined ? {} : { hostKey: bastionHostKey }),
});
