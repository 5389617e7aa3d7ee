import type { Duplex } from "node:stream";
import ssh2, { type Client, type ConnectConfig } from "ssh2";
import { UnreachableError, type UnreachableReason } from "../../lib/unreachable-error.ts";
import { listAuthentications } from "./authentication.ts";
import { fingerprintOf, type HostKey, isSameKey, listSignatures, readHostKey } from "./host-key.ts";
import { nameTarget, type SshTarget } from "./ssh-target.ts";

export interface ClientOptions {
  /** From the first packet until commands can be run. */
  readonly connectMs: number;
  readonly keepaliveMs: number;
  /** How many answers in a row may be missing. */
  readonly keepaliveMisses: number;
}

/** Makes itself known to a host over an open line. Rejects with an `UnreachableError`; the line is closed then. */
export function openClient(target: SshTarget, line: Duplex, options: ClientOptions): Promise<Client> {
  const verdict: HostKeyVerdict = { refusal: null };
  const verify = (blob: Buffer) => judgeHostKey(target, readHostKey(blob), verdict);
  return shakeHands(target, line, options, verify, () => verdict.refusal);
}

/** Asks a host for its key, for pinning. Nothing else is said to it. */
export async function fetchHostKey(target: SshTarget, line: Duplex, options: ClientOptions): Promise<HostKey> {
  let seen: HostKey | null = null;
  const verify = (blob: Buffer) => {
    seen = readHostKey(blob);
    return false;
  };
  try {
    const client = await shakeHands(target, line, options, verify, () => null);
    client.end();
  } catch (error) {
    if (seen === null) throw error;
  }
  if (seen === null) throw unreachable(target, "handshake-failed", "It did not show its key.");
  return seen;
}

interface HostKeyVerdict {
  refusal: UnreachableError | null;
}

function judgeHostKey(target: SshTarget, shown: HostKey, verdict: HostKeyVerdict): boolean {
  const { hostKeys, fingerprints = [] } = target;
  if (hostKeys.some((pinned) => isSameKey(pinned, shown)) || fingerprints.includes(fingerprintOf(shown))) return true;
  const fingerprint = `${fingerprintOf(shown)} (${shown.type})`;
  const pinned = [...hostKeys.map((key) => `${fingerprintOf(key)} (${key.type})`), ...fingerprints];
  verdict.refusal =
    pinned.length === 0
      ? unreachable(target, "host-key-unknown", `No key of it is pinned. It showed ${fingerprint}.`)
      : unreachable(target, "host-key-changed", `Its host key is ${fingerprint}, but ${pinned.join(", ")} is pinned.`);
  return false;
}

function shakeHands(
  target: SshTarget,
  line: Duplex,
  options: ClientOptions,
  hostVerifier: (key: Buffer) => boolean,
  findRefusal: () => UnreachableError | null,
): Promise<Client> {
  return new Promise((resolve, reject) => {
    const client = new ssh2.Client();
    let heard = false;
    const fail = (error: Error) => {
      clearTimeout(timer);
      client.removeAllListeners("ready");
      line.destroy();
      reject(error);
    };
    const timer = setTimeout(() => {
      const seconds = options.connectMs / 1000;
      const [reason, what] = heard
        ? (["timed-out", "finish the handshake"] as const)
        : (["no-banner", "say a word"] as const);
      fail(unreachable(target, reason, `It took the connection, but did not ${what} within ${seconds} s.`));
    }, options.connectMs);
    client.once("ready", () => {
      clearTimeout(timer);
      // Small packets would wait for the answer to the one before, some 40 ms each.
      client.setNoDelay(true);
      resolve(client);
    });
    client.on("error", (error: Error) => fail(findRefusal() ?? explainFailure(target, error)));
    client.once("close", () =>
      fail(findRefusal() ?? unreachable(target, "handshake-failed", "It closed the connection.")),
    );
    try {
      client.connect(makeConfig(target, line, options, hostVerifier));
    } catch (error) {
      const known = error instanceof UnreachableError;
      fail(known ? error : unreachable(target, "credentials-unusable", "Its credentials cannot be used.", error));
    }
    line.once("data", () => {
      heard = true;
    });
  });
}

function makeConfig(
  target: SshTarget,
  line: Duplex,
  options: ClientOptions,
  hostVerifier: (key: Buffer) => boolean,
): ConnectConfig {
  return {
    sock: line as NonNullable<ConnectConfig["sock"]>,
    username: target.user,
    authHandler: listAuthentications(target),
    agentForward: false,
    hostVerifier,
    algorithms: {
      serverHostKey: listSignatures([...(target.keyTypes ?? []), ...target.hostKeys.map(({ type }) => type)]) as never,
    },
    keepaliveInterval: options.keepaliveMs,
    keepaliveCountMax: options.keepaliveMisses,
    readyTimeout: 0,
  };
}

function explainFailure(target: SshTarget, error: Error & { level?: string }): UnreachableError {
  if (error.level === "client-authentication") {
    return unreachable(target, "auth-refused", `It does not let ${target.user} in.`, error);
  }
  const word = error.message.replace(/\.?$/, ".");
  return unreachable(target, "handshake-failed", word, error);
}

export function unreachable(
  target: SshTarget,
  reason: UnreachableReason,
  detail: string,
  cause?: unknown,
): UnreachableError {
  return new UnreachableError({ reason, host: nameTarget(target), detail, cause });
}
