/** Turns passwords into something that does not give them away. Slow on purpose, but never on the main thread. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes as long without a hash as with one: how long it took tells nobody whether there is such a user. */
  verify(hash: string | null, password: string): Promise<boolean>;
}
