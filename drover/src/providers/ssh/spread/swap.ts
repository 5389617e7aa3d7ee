import type { Lending, LendingOffer } from "../../../ports/lend-files.ts";

/** A file on its way from here to one machine. */
export interface Upload {
  readonly bytes: number;
  readonly beganAt: number;
  /** Bytes per second that it will get if nobody else begins; null when that is not known. */
  readonly expected: number | null;
  sent: number;
}

/** Before that, how fast it goes says little. */
const TELLING_SECONDS = 1;

/**
 * What the machines of one cluster get and hand on while files are brought to them. Only a hint, of this process alone:
 * whoever gets a file compares it with its checksum.
 */
export class Swap {
  /** How many machines are at it. */
  members = 0;
  readonly #uploads = new Map<string, Set<Upload>>();
  readonly #holders = new Map<string, Set<string>>();
  readonly #lendings = new Map<string, Lending>();
  readonly #loans = new Map<string, number>();
  #hasEnded = false;

  begin(sha256: string, upload: Upload): () => void {
    const uploads = this.#uploads.get(sha256) ?? new Set();
    this.#uploads.set(sha256, uploads.add(upload));
    return () => void uploads.delete(upload);
  }

  isComing(sha256: string): boolean {
    return (this.#uploads.get(sha256)?.size ?? 0) > 0;
  }

  /** In how many seconds the first machine will have it, by how it goes so far, or by what was seen before. */
  comingIn(sha256: string, now: number): number | null {
    const waits = [...(this.#uploads.get(sha256) ?? [])].flatMap(({ bytes, sent, beganAt, expected }) => {
      const seconds = (now - beganAt) / 1_000;
      const rate = sent > 0 && seconds > TELLING_SECONDS ? sent / seconds : expected;
      return rate === null ? [] : [(bytes - sent) / rate];
    });
    return waits.length === 0 ? null : Math.min(...waits);
  }

  /** Others may have it from this machine, if that can lend. */
  async hold(node: string, file: { to: string; sha256: string }, open: () => Promise<Lending | null>): Promise<void> {
    const lending = this.#lendings.get(node) ?? (await open());
    if (lending === null || this.#hasEnded) return;
    // Two files may come to this at the same time.
    const first = this.#lendings.get(node) ?? lending;
    this.#lendings.set(node, first);
    if (!(await first.add(file.to, file.sha256))) return;
    this.#holders.set(file.sha256, (this.#holders.get(file.sha256) ?? new Set()).add(node));
  }

  /** Those that have it, the least busy first. */
  lenders(sha256: string): readonly string[] {
    const busy = (node: string): number => this.#loans.get(node) ?? 0;
    return [...(this.#holders.get(sha256) ?? [])].sort((one, other) => busy(one) - busy(other));
  }

  async borrowFrom<T>(node: string, work: (offer: LendingOffer) => Promise<T>): Promise<T> {
    const count = (change: number) => this.#loans.set(node, (this.#loans.get(node) ?? 0) + change);
    const lending = this.#lendings.get(node);
    if (lending === undefined) throw new Error(`${node} lends nothing.`);
    count(1);
    try {
      return await work(await lending.offer());
    } finally {
      count(-1);
    }
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    const lendings = [...this.#lendings.values()];
    this.#lendings.clear();
    this.#holders.clear();
    await Promise.all(lendings.map((lending) => lending.end()));
  }
}
