import { DroverError } from "@drover/contract";

export const SHORTEST_PASSWORD = 12;

/** What people choose first: alone, repeated, or with digits and signs around it, it is tried first as well. */
const COMMON = new Set(
  `abc abcabc access admin administrator adminadmin asdf asdfgh asdfghjkl baseball batman changeme charlie cluster
  computer default demo donald dragon drover flower football freedom god guest hallo hello hottie iloveyou jesus
  kubernetes letmein login loveme lovely master michael monkey mustang mynoob ninja pass passphrase passw passwd
  password passwort princess qazwsx qwer qwert qwertz qwerty qwertyuiop root secret service shadow starwars summer
  sunshine superman system temp test testing trustno user welcome whatever winter zxcvbn zxcvbnm`.split(/\s+/),
);

const RUNS = [
  "0123456789".repeat(5),
  "9876543210".repeat(5),
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
];

/** Refuses a password that somebody who knows nothing but the user's name would find soon. */
export function assertStrongPassword(password: string, userName: string): void {
  const why = findWeakness(password.normalize("NFKC"), userName.toLowerCase());
  if (why !== null) throw new DroverError("password-weak", `The password ${why}.`);
}

function findWeakness(password: string, userName: string): string | null {
  const characters = Array.from(password.toLowerCase());
  if (characters.length < SHORTEST_PASSWORD) return `has fewer than ${SHORTEST_PASSWORD} characters`;
  if (new Set(characters).size < 5) return "repeats a few characters only";
  const lower = characters.join("");
  if (RUNS.some((run) => run.includes(lower))) return "is a row of keys or digits";
  const name = withoutRepeats(lettersOf(userName));
  const core = withoutRepeats(lettersOf(readLeet(lower)));
  const plain = withoutRepeats(lettersOf(lower));
  if (withoutRepeats(lower) === userName || (name !== "" && [core, plain].includes(name))) return "is the user's name";
  return COMMON.has(core) || COMMON.has(plain) ? "is among those that are tried first" : null;
}

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}]/gu, "");

/** `abcabcabc` is `abc`. */
const withoutRepeats = (text: string): string => /^(.+?)\1+$/u.exec(text)?.[1] ?? text;

const LEET: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
};
/** Digits at the end are a number, between letters they stand for letters. */
const readLeet = (text: string): string =>
  text.replace(/[\d\W]+$/u, "").replaceAll(/[013457@$]/g, (sign) => LEET[sign] ?? sign);
