import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "ssh2";
import { isUnreachable, type UnreachableError } from "../../lib/unreachable-error.ts";
import { ChannelTurns } from "./channel-turns.ts";
import { openForwarded } from "./forwarded-line.ts";
import { otherTypes } from "./host-key.ts";
import { type ClientOptions, openClient, unreachable } from "./open-client.ts";
import { openLine } from "./open-line.ts";
import { pingHost } from "./ping-host.ts";
import { nameTarget, type SshTarget } from "./ssh-target.ts";
import { NotReadyError, type RunAs, Starter } from "./starter.ts";
import { SudoError } from "./sudo-error.ts";

export interface ConnectionOptions extends ClientOptions {
  readonly searchPath: string;
  /** How many channels to have open at once; `MaxSessions` of the host, which is 10 unless it says otherwise. */
  readonly channels: number;
  /** How many starters to keep ready, so that a command costs one round trip. */
  readonly spares: number;
  /** After how long without anything to do the connection is given up. */
  readonly idleMs: number;
}

export interface Taking {
  readonly runAs: RunAs;
  /** For ending others: before all who wait. */
  readonly urgent?: boolean | undefined;
  /** It will be given back, so that no other need be prepared in its place. */
  readonly returns?: boolean | undefined;
}

interface Met {
  readonly client: Client;
  readonly line: Duplex;
}

/** After how long a host that has no room for a channel, though none is open, is asked again. */
const CLEARING_UP_MS = 20;
/** How long a host may take to say anything at all. */
const LONGEST_DOUBT_MS = 2_000;
/** Asking with a wrong password again and again could lock the account; once in that time does not. */
const SUDO_REFUSAL_MS = 60_000;

/**
 * The one connection to a host, opened when it is needed, and again after it was lost.
 *
 * closed → (somebody needs it) opening → open → (lost, idle, closed) closed
 * Channels are handed out in the order of asking. Some are held by spare starters, which give way to whoever waits.
 */
export class SshConnection {
  readonly name: string;
  /** Asked for the type of key that it is known by, once that is known. */
  #target: SshTarget;
  readonly #via: SshConnection | null;
  readonly #options: ConnectionOptions;
  #opening: Promise<Client> | null = null;
  #client: Client | null = null;
  readonly #turns: ChannelTurns;
  #inUse = 0;
  #spares: Starter[] = [];
  /** Of whom spares are on their way. */
  #warming = 0;
  /** How to say that a starter is not used any more. */
  readonly #uses = new WeakMap<Starter, () => void>();
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  #doubting: Promise<void> | null = null;
  #settleDoubt: ((isThere: boolean) => void) | null = null;
  #sudoRefusal: { readonly error: SudoError; readonly at: number } | null = null;

  constructor(target: SshTarget, via: SshConnection | null, options: ConnectionOptions) {
    this.name = nameTarget(target);
    this.#target = target;
    this.#via = via;
    this.#options = options;
    this.#turns = new ChannelTurns(options.channels);
  }

  /** A starter for one use: `giveBack` it, or `dismiss` it, or let it become a command. Rejects as `Starter.open`. */
  async take({ runAs, urgent = false, returns = false }: Taking): Promise<Starter> {
    const end = this.#begin();
    try {
      const starter = await this.#find(runAs, urgent);
      this.#uses.set(starter, end);
      void starter.closed.then(end);
      if (!returns) this.#prepare(runAs);
      return starter;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** It waits for its next script. */
  giveBack(starter: Starter): void {
    starter.listen(null);
    this.#uses.get(starter)?.();
    if (starter.isClosed) return;
    if (this.#turns.handOver(starter)) return;
    if (this.#turns.isCrowded || this.#spares.length >= this.#options.spares) starter.dismiss();
    else this.#spares.push(starter);
    this.#rest();
  }

  /** A line to another host that goes through this one. */
  async forward(target: SshTarget): Promise<Duplex> {
    const end = this.#begin();
    try {
      const line = await openForwarded(await this.#open(), target, this.name, this.#options.connectMs);
      line.once("close", end);
      return line;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** False while it is being made, and while nobody knows whether it is still there. */
  get isTrusted(): boolean {
    return this.#client !== null && this.#doubting === null;
  }

  /** Somebody has waited in vain. Whoever asks next waits until the host has said anything, or gets a new connection. */
  doubt(): void {
    const client = this.#client;
    if (client === null || this.#doubting !== null) return;
    this.#doubting = new Promise((resolve) => {
      const patienceMs = Math.min(this.#options.connectMs, LONGEST_DOUBT_MS);
      const timer = setTimeout(() => this.#settleDoubt?.(false), patienceMs).unref();
      this.#settleDoubt = (isThere) => {
        clearTimeout(timer);
        this.#settleDoubt = null;
        this.#doubting = null;
        if (!isThere && this.#client === client) this.abandon();
        resolve();
      };
    });
    // Whatever comes first settles it, be it this answer or something else.
    pingHost(client, () => this.#client !== client).catch(() => this.#settleDoubt?.(false));
  }

  /** Gives the connection up, as nothing comes through it any more. The next one to ask gets a new one. */
  abandon(): void {
    const client = this.#client;
    this.#forget(client);
    client?.destroy();
  }

  close(): void {
    this.#isClosed = true;
    const client = this.#client;
    this.#forget(client);
    client?.end();
  }

  async #find(runAs: RunAs, urgent: boolean): Promise<Starter> {
    if (this.#doubting !== null) await this.#doubting;
    if (runAs === "root") this.#throwIfRefused();
    // A channel that was lost while somebody waited for it is looked for once more on a new connection.
    for (let tries = 0; ; tries++) {
      const client = await this.#open();
      // Who was turned away keeps its place.
      const ready = this.#takeSpare(runAs) ?? (await this.#awaitTurn(runAs, urgent, urgent || tries > 0));
      if (ready) return ready;
      try {
        return await this.#openStarter(client, runAs);
      } catch (error) {
        // What was said last says nothing when it was the connection that ended it.
        if (this.#client !== client) {
          if (!this.#isClosed && tries === 0) continue;
          throw this.#explainLoss(error);
        }
        if (error instanceof SudoError) throw this.#remember(error);
        if (isTooMany(error) && tries < this.#options.channels) {
          // A channel that has just been closed counts at the host until it comes to clearing up.
          if (this.#turns.taken > 0) this.#turns.lower();
          else await sleep(CLEARING_UP_MS);
          continue;
        }
        throw this.#explain(error);
      }
    }
  }

  #takeSpare(runAs: RunAs): Starter | null {
    const at = this.#spares.findIndex((spare) => spare.runAs === runAs && !spare.isClosed);
    return at === -1 ? null : (this.#spares.splice(at, 1)[0] ?? null);
  }

  /** Answers with a starter when one was handed over. */
  async #awaitTurn(runAs: RunAs, urgent: boolean, isFirst: boolean): Promise<Starter | null> {
    const granted = this.#turns.wait(runAs, urgent, isFirst);
    if (this.#turns.isCrowded) this.#spares.shift()?.dismiss();
    return await granted;
  }

  /** Opens what was granted. */
  async #openStarter(client: Client, runAs: RunAs): Promise<Starter> {
    try {
      const { searchPath, connectMs } = this.#options;
      const { sudoPassword } = this.#target;
      const isLost = () => this.#client !== client;
      const starter = await Starter.open(client, { runAs, searchPath, sudoPassword, patienceMs: connectMs, isLost });
      void starter.closed.then(() => this.#release(starter));
      return starter;
    } catch (error) {
      this.#release(null);
      throw error;
    }
  }

  #release(starter: Starter | null): void {
    this.#spares = this.#spares.filter((spare) => spare !== starter);
    this.#turns.release();
  }

  /** Opens spares while the caller is busy with what it got. */
  #prepare(runAs: RunAs): void {
    const client = this.#client;
    const isWanted = () => {
      const ready = this.#spares.filter((spare) => spare.runAs === runAs).length + this.#warming;
      return ready < this.#options.spares && this.#client === client;
    };
    while (client && isWanted() && this.#turns.takeSpare()) {
      this.#warming++;
      this.#openStarter(client, runAs)
        .then(
          (starter) => {
            this.#warming--;
            this.giveBack(starter);
          },
          () => {
            this.#warming--;
          },
        )
        .catch(() => {});
    }
  }

  #open(): Promise<Client> {
    if (this.#isClosed) return Promise.reject(new Error("The connection to this host was closed."));
    this.#opening ??= this.#connect().catch((error) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  async #connect(): Promise<Client> {
    const { client, line } = await this.#meet();
    line.on("data", () => {
      if (this.#client === client) this.#settleDoubt?.(true);
    });
    client.removeAllListeners("error");
    client.removeAllListeners("close");
    client.on("error", () => {
      this.#forget(client);
      client.destroy();
    });
    client.on("close", () => this.#forget(client));
    if (this.#isClosed) client.end();
    this.#client = client;
    return client;
  }

  /**
   * A host with several keys shows one of them. Where only the fingerprint of a key is pinned, it may be that of another:
   * then the host is asked for each type, before it counts as changed.
   */
  async #meet(): Promise<Met> {
    try {
      return await this.#meetAs(this.#target);
    } catch (changed) {
      const { fingerprints = [], keyTypes } = this.#target;
      if (!isUnreachable(changed, "host-key-changed") || fingerprints.length === 0) throw changed;
      for (const type of otherTypes(keyTypes)) {
        const target = { ...this.#target, keyTypes: [type] };
        const met = await this.#meetAs(target).catch((error: unknown) => {
          if (!isUnreachable(error, "host-key-changed")) throw error;
          return null;
        });
        if (met === null) continue;
        this.#target = target;
        return met;
      }
      throw changed;
    }
  }

  async #meetAs(target: SshTarget): Promise<Met> {
    const line = await (this.#via?.forward(target) ?? openLine(target, this.#options.connectMs));
    return { line, client: await openClient(target, line, this.#options) };
  }

  #forget(client: Client | null): void {
    if (client === null || this.#client !== client) return;
    this.#client = null;
    this.#opening = null;
    this.#spares = [];
    this.#sudoRefusal = null;
    this.#settleDoubt?.(false);
    clearTimeout(this.#idle);
  }

  #begin(): () => void {
    this.#inUse++;
    clearTimeout(this.#idle);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#inUse--;
      this.#rest();
    };
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#inUse > 0 || this.#client === null) return;
    const client = this.#client;
    this.#idle = setTimeout(() => {
      this.#forget(client);
      client.end();
    }, this.#options.idleMs);
    this.#idle.unref();
  }

  #remember(error: SudoError): SudoError {
    if (error.refusal === "wrong-password") this.#sudoRefusal = { error, at: performance.now() };
    return error;
  }

  #throwIfRefused(): void {
    const refusal = this.#sudoRefusal;
    if (refusal !== null && performance.now() - refusal.at < SUDO_REFUSAL_MS) throw refusal.error;
  }

  #explain(error: unknown): UnreachableError {
    if (isUnreachable(error)) return error;
    const reason = error instanceof NotReadyError ? "timed-out" : "no-session";
    return unreachable(this.#target, reason, (error as Error).message.replace(/\.?$/, "."), error);
  }

  #explainLoss(error: unknown): UnreachableError {
    return unreachable(this.#target, "lost", "The connection broke before a shell was ready.", error);
  }
}

/** The host has a smaller limit than we thought. */
const isTooMany = (error: unknown): boolean => /open fail/i.test((error as Error).message);
