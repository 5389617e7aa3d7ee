import { DroverError } from "@drover/contract";
import type { PasswordHasher } from "../../ports/password-hasher.ts";

export interface Argon2Cost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
}

/** What OWASP advises for argon2id. */
export const OWASP_COST: Argon2Cost = { memoryKib: 19_456, passes: 2, lanes: 1 };

/** Each takes a thread of the pool that also reads files and resolves names, and some megabytes. */
const AT_ONCE = 2;
const WAITING = 100;

/** argon2id in the threads of the native library; the event loop goes on meanwhile. */
export class Argon2Passwords implements PasswordHasher {
  readonly #cost: Argon2Cost;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #nobody: Promise<string> | null = null;

  constructor(cost: Argon2Cost = OWASP_COST) {
    this.#cost = cost;
  }

  async hash(password: string): Promise<string> {
    const argon2 = await load();
    const { memoryKib: memoryCost, passes: timeCost, lanes: parallelism } = this.#cost;
    // argon2id is what the library does unless told otherwise; a test looks at the hashes.
    return await this.#inTurn(() => argon2.hash(unify(password), { memoryCost, timeCost, parallelism }));
  }

  async verify(hash: string | null, password: string): Promise<boolean> {
    const argon2 = await load();
    this.#nobody ??= this.hash("nobody has this password");
    const nobody = await this.#nobody;
    const fits = await this.#inTurn(() => argon2.verify(hash ?? nobody, unify(password)));
    return fits && hash !== null;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= WAITING) {
        throw new DroverError("rate-limited", "Too many people sign in at once.", {
          details: { retryAfterSeconds: 5 },
        });
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

/** Loaded when the first password comes: most commands never see one. */
const load = () => import("@node-rs/argon2");

/** The same letters are the same password, however the keyboard puts them together. */
const unify = (password: string): string => password.normalize("NFKC");
