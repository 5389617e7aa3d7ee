import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What `drover login` keeps: one token for each server, and which server was last. */
export interface Logins {
  readonly file: string;
  readonly current: string | null;
  readonly tokens: Readonly<Record<string, string>>;
}

export function readLogin(configDir: string): Logins {
  const file = join(configDir, "login.json");
  try {
    const { current, tokens } = JSON.parse(readFileSync(file, "utf8")) as Partial<Logins>;
    const kept = Object.entries(tokens ?? {}).filter((entry) => typeof entry[1] === "string");
    return { file, current: typeof current === "string" ? current : null, tokens: Object.fromEntries(kept) };
  } catch {
    return { file, current: null, tokens: {} };
  }
}

/** Written beside and moved into place, readable by its owner only from the first byte on. */
export function writeLogin({ file, current, tokens }: Logins): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify({ current, tokens }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
}
