import { isDroverError } from "@drover/contract";
import { expect, it } from "vitest";
import { Argon2Passwords } from "./argon2-passwords.ts";

const cheap = () => new Argon2Passwords({ memoryKib: 8, passes: 1, lanes: 1 });

it("hashes by argon2id at the cost that OWASP advises, with a salt of its own", async () => {
  const passwords = new Argon2Passwords();
  const [one, other] = [await passwords.hash("correct horse"), await passwords.hash("correct horse")];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
});

it("tells the right password from others, however its letters are put together", async () => {
  const passwords = cheap();
  const hash = await passwords.hash("Zoë has a cat");
  expect(await passwords.verify(hash, "Zoe\u0308 has a cat")).toBe(true);
  expect(await passwords.verify(hash, "Zoe has a cat")).toBe(false);
  expect(await passwords.verify(null, "nobody has this password")).toBe(false);
});

it("lets the event loop go on meanwhile", async () => {
  const passwords = new Argon2Passwords();
  let turns = 0;
  let done = false;
  const count = () => {
    turns += 1;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  for (let round = 0; round < 5; round++) await passwords.hash("correct horse");
  done = true;
  expect(turns).toBeGreaterThan(10);
});

it("refuses more at once than can wait their turn, and serves the rest", async () => {
  const passwords = cheap();
  const hash = await passwords.hash("correct horse");
  await passwords.verify(hash, "x");
  const ends = await Promise.allSettled(Array.from({ length: 150 }, () => passwords.verify(hash, "correct horse")));
  const refused = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
  expect(refused).toHaveLength(48);
  expect(refused.every((error) => isDroverError(error, "rate-limited"))).toBe(true);
  expect(await passwords.verify(hash, "correct horse")).toBe(true);
});
