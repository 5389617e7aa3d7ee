import { randomBytes, randomInt } from "node:crypto";
import { type Connector, runOrThrow } from "../../ports/connector.ts";
import type { Lending, LendingOffer } from "../../ports/lend-files.ts";
import { makeKeyPair } from "./key-pair.ts";
import { giveCommand, giveFrom, KEEP_FOLDER, LEND_FILE, OPEN_SERVER, serverConfig } from "./lending-scripts.ts";

/** Ports of services that nodes reach each other by, which are open between machines more often than others. */
const PORTS = { from: 30_000, to: 32_768 };
const PORTS_TRIED = 5;
const PATIENCE_MS = 5_000;

export interface Lender {
  readonly machine: Connector;
  /** The same machine, for what stays there for long. */
  readonly holder: Connector;
}

/** A process on the machine that lives as long as we do. */
interface Held<T> {
  readonly said: T;
  readonly ended: Promise<unknown>;
}

/**
 * Lends files of a machine to others: through an sshd of its own, which has its own keys and port, knows one key, and
 * gives that one only what lies in one folder. Nothing of the machine's own sshd is touched. Both folder and sshd are
 * held by processes there that end with the connection.
 */
export class MachineLending implements Lending {
  readonly #machine: Connector;
  readonly #holder: Connector;
  readonly #address: string;
  readonly #folder: string;
  readonly #ending = new AbortController();
  #keeper: Promise<Held<string>> | null = null;
  #server: Promise<Held<LendingOffer>> | null = null;

  constructor({ machine, holder }: Lender, address: string, folder: string) {
    if (!/^\/[A-Za-z0-9._/-]*$/.test(folder)) throw new TypeError(`${folder} cannot be a folder of what is lent.`);
    this.#machine = machine;
    this.#holder = holder;
    this.#address = address;
    this.#folder = `${folder}/lent-${randomBytes(6).toString("hex")}`;
  }

  async add(path: string, sha256: string): Promise<boolean> {
    try {
      this.#keeper ??= this.#hold(KEEP_FOLDER, [this.#folder], (line) => line);
      await this.#keeper;
      const argv = ["sh", "-c", LEND_FILE, "drover-lend-file", this.#folder, path, sha256] as const;
      const { exitCode } = await this.#machine.run({ argv }, { signal: this.#ending.signal });
      return exitCode === 0;
    } catch {
      return false;
    }
  }

  async offer(): Promise<LendingOffer> {
    this.#server ??= this.#open();
    return (await this.#server).said;
  }

  async end(): Promise<void> {
    this.#ending.abort(new Error("Nothing more is lent."));
    for (const held of [this.#server, this.#keeper]) {
      if (held !== null) await held.then(({ ended }) => ended).catch(() => {});
    }
  }

  async #open(): Promise<Held<LendingOffer>> {
    await this.#keeper;
    const [hostKey, userKey] = [makeKeyPair(), makeKeyPair()];
    const put = (name: string, text: string) => this.#machine.put(`${this.#folder}/${name}`, Buffer.from(text));
    await Promise.all([
      put("host-key", hostKey.private),
      put("authorized-keys", `restrict,command="${giveCommand(this.#folder)}" ${userKey.public}\n`),
      put("give", giveFrom(this.#folder)),
      put("config", serverConfig(this.#folder)),
    ]);
    const ports = Array.from({ length: PORTS_TRIED }, () => String(randomInt(PORTS.from, PORTS.to)));
    return await this.#hold(OPEN_SERVER, [this.#folder, this.#address, ...ports], (line) => {
      const [port = "", user = ""] = line.split(" ");
      const address = this.#address;
      return { address, port: Number(port), user, hostKey: hostKey.public, privateKey: userKey.private };
    });
  }

  /** Answers with what its first line says; it goes on from there. */
  #hold<T>(script: string, values: readonly string[], read: (line: string) => T): Promise<Held<T>> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => this.#ending.abort(new Error("The machine was too slow to lend.")), PATIENCE_MS);
      const ended: Promise<unknown> = runOrThrow(
        this.#holder,
        { argv: ["sh", "-c", script, "drover-lend", ...values] },
        {
          signal: this.#ending.signal,
          tied: true,
          onLine: (line, stream) => {
            if (stream !== "stdout") return;
            clearTimeout(late);
            resolve({ said: read(line), ended });
          },
        },
      ).then(
        () => reject(new Error("The machine stopped lending.")),
        (error: unknown) => reject(error),
      );
      void ended.then(() => clearTimeout(late));
    });
  }
}
