import { createHash } from "node:crypto";
import { type ConnectionOptions, SshConnection } from "./connection.ts";
import type { HostKey } from "./host-key.ts";
import type { ClientOptions } from "./open-client.ts";
import { fetchHostKey } from "./open-client.ts";
import { openLine } from "./open-line.ts";
import { SshConnector, type SshConnectorOptions } from "./ssh-connector.ts";
import { checkTarget, nameTarget, type SshTarget } from "./ssh-target.ts";
import type { RunAs } from "./starter.ts";

type Own = "host" | "address" | "runAs" | "lender";

export type SshPoolOptions = Partial<ConnectionOptions & Omit<SshConnectorOptions, Own>>;

export const SSH_SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const DEFAULTS = {
  connectMs: 10_000,
  keepaliveMs: 5_000,
  keepaliveMisses: 3,
  searchPath: SSH_SEARCH_PATH,
  channels: 10,
  spares: 2,
  idleMs: 60_000,
  graceMs: 5_000,
  drainMs: 250,
  keepBytes: 64 * 1024,
  largestFileBytes: 256 * 1024 * 1024,
} as const;

/** What is lent is held for long, and must take no channel from commands that wait for one. */
type Purpose = "commands" | "lending";

/** One connection per host, user and way there, shared by all who need it; a second one for what is lent. */
export class SshPool {
  readonly #options: ConnectionOptions & Omit<SshConnectorOptions, Own>;
  readonly #connections = new Map<string, SshConnection>();

  constructor(options: SshPoolOptions = {}) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Nothing is opened before something is run. Throws on a target that cannot be one. */
  connect(target: SshTarget, runAs: RunAs = "user"): SshConnector {
    checkTarget(target);
    // Who is root already needs no sudo, which may not even be there.
    const who = target.user === "root" ? "user" : runAs;
    const [host, address] = [nameTarget(target), target.host];
    const open = (purpose: Purpose, lender?: () => SshConnector): SshConnector =>
      new SshConnector(this.#find(target, purpose), { ...this.#options, host, address, runAs: who, lender });
    return open("commands", () => open("lending"));
  }

  /** The key that a host shows now, to be compared and pinned. It is told nothing, and nothing is believed of it. */
  async fetchHostKey(target: SshTarget, signal?: AbortSignal): Promise<HostKey> {
    checkTarget(target);
    signal?.throwIfAborted();
    let abort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(signal?.reason);
    });
    signal?.addEventListener("abort", abort);
    const opening = target.via ? this.#find(target.via).forward(target) : openLine(target, this.#options.connectMs);
    const fetching = async () => await fetchHostKey(target, await opening, this.#options satisfies ClientOptions);
    try {
      return await Promise.race([fetching(), aborted]);
    } finally {
      signal?.removeEventListener("abort", abort);
      // Whether it is open by now or will be later.
      void opening.then((line) => line.destroy()).catch(() => {});
    }
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.close();
    this.#connections.clear();
  }

  #find(target: SshTarget, purpose: Purpose = "commands"): SshConnection {
    const key = createHash("sha256")
      .update(JSON.stringify([purpose, target]))
      .digest("hex");
    const known = this.#connections.get(key);
    if (known) return known;
    const via = target.via ? this.#find(target.via) : null;
    const connection = new SshConnection(target, via, this.#options);
    this.#connections.set(key, connection);
    return connection;
  }
}
