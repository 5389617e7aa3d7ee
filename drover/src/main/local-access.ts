import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { isDroverError } from "@drover/contract";
import { FIRST_ADMIN, hasUsableAdmin, makeLoginLink } from "../app/access/login-link.ts";
import { makeSecret, TOKEN_PREFIX } from "../app/access/secrets.ts";
import { sha256 } from "../lib/sha256.ts";
import type { AccessStore, Actor, UserRecord } from "../ports/store/index.ts";

const SYSTEM: Actor = { type: "system", name: "drover up" };

export const cliFile = (dataDir: string): string => join(dataDir, "cli.json");

/** What lies in the data folder for the commands of the same user on the same machine. */
interface CliFile {
  readonly url: string;
  readonly token: string;
}

export interface LocalAccess {
  /** Null when somebody can sign in without one. */
  readonly loginLink: string | null;
  /** Takes the credentials of the command line away again. */
  close(): Promise<void>;
}

/** Lets in who runs Drover on this machine: in the browser by a link while nobody can sign in, and on the command line. */
export async function openLocalAccess(access: AccessStore, dataDir: string, url: string): Promise<LocalAccess> {
  const admin = await findOrMakeAdmin(access);
  const needsLink = !hasUsableAdmin(await access.listUsers());
  const token = await placeToken(access, admin, dataDir, url);
  return {
    loginLink: needsLink ? await makeLoginLink(access, SYSTEM, url) : null,
    close: async () => {
      // Another process in the same folder may have put its own there.
      if (readCliFile(cliFile(dataDir))?.token === token) unlinkSync(cliFile(dataDir));
      const found = await access.findToken(sha256(token));
      if (found !== null) await access.revokeToken(SYSTEM, found.token.id);
    },
  };
}

async function findOrMakeAdmin(access: AccessStore): Promise<UserRecord> {
  const find = () => access.findUser({ name: FIRST_ADMIN });
  const known = await find();
  if (known !== null) return known;
  try {
    return await access.createUser(SYSTEM, { name: FIRST_ADMIN, displayName: "Administrator", role: "admin" });
  } catch (error) {
    // Another server that started at the same moment has made it.
    const made = isDroverError(error, "user-exists") ? await find() : null;
    if (made === null) throw error;
    return made;
  }
}

/** The token of the last start is kept while it is good: commands that wait for the restart have it already. */
async function placeToken(access: AccessStore, admin: UserRecord, dataDir: string, url: string): Promise<string> {
  const file = cliFile(dataDir);
  const name = `Command line on ${hostname()} (${sha256(dataDir).slice(0, 8)})`;
  const left = readCliFile(file)?.token;
  const kept = left === undefined ? null : await access.findToken(sha256(left));
  if (left !== undefined && kept?.token.name === name) {
    writeCliFile(file, { url, token: left });
    return left;
  }
  // Those of processes that were killed before they could write or read the file.
  const orphans = await access.listTokens(admin.id);
  for (const token of orphans.filter((token) => token.name === name && token.revokedAt === null)) {
    await access.revokeToken(SYSTEM, token.id);
  }
  const { secret, hash } = makeSecret(TOKEN_PREFIX);
  await access.createToken(SYSTEM, { userId: admin.id, name, tokenHash: hash, role: "admin" });
  writeCliFile(file, { url, token: secret });
  return secret;
}

function readCliFile(file: string): CliFile | null {
  try {
    const { url, token } = JSON.parse(readFileSync(file, "utf8")) as Partial<CliFile>;
    return typeof url === "string" && typeof token === "string" ? { url, token } : null;
  } catch {
    return null;
  }
}

/** Whole before it has its name, and readable by its owner only from the first byte on. */
function writeCliFile(file: string, content: CliFile): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: "wx" });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}
