import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openTestStore } from "../../test/store.ts";
import { sha256 } from "../lib/sha256.ts";
import type { Actor, Store } from "../ports/store/index.ts";
import { openLocalAccess } from "./local-access.ts";

const URL_HERE = "http://127.0.0.1:8420/";
const SYSTEM: Actor = { type: "system", name: "test" };

let store: Store;
let folder: string;
beforeEach(async () => {
  const test = await openTestStore();
  store = test.store;
  folder = mkdtempSync(join(tmpdir(), "drover-local-"));
  onTestFinished(async () => {
    await test.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
});

const open = (dataDir = folder) => openLocalAccess(store.access, dataDir, URL_HERE);
const readFile = () => JSON.parse(readFileSync(join(folder, "cli.json"), "utf8")) as { url: string; token: string };
const findToken = (secret: string) => store.access.findToken(sha256(secret));
const liveTokens = async () => (await store.access.listTokens()).filter(({ revokedAt }) => revokedAt === null);

describe("the command line on the machine of the server", () => {
  it("finds an administrator's token that nobody else can read, until the server stops", async () => {
    const local = await open();
    const { url, token } = readFile();
    expect(url).toBe(URL_HERE);
    expect(statSync(join(folder, "cli.json")).mode & 0o777).toBe(0o600);
    expect(await findToken(token)).toMatchObject({ user: { name: "admin" }, token: { role: "admin" } });
    await local.close();
    expect(readdirSync(folder)).toEqual([]);
    expect(await findToken(token)).toBeNull();
  });

  it("keeps its token over a crash, and gets a new one when it was revoked, lost or spoilt", async () => {
    await open();
    const first = readFile().token;
    await open();
    expect(readFile().token).toBe(first);
    await store.access.revokeToken(SYSTEM, (await findToken(first))?.token.id ?? "");
    await open();
    const second = readFile().token;
    expect(second).not.toBe(first);
    rmSync(join(folder, "cli.json"));
    await open();
    const third = readFile().token;
    expect(await findToken(second)).toBeNull();
    writeFileSync(join(folder, "cli.json"), "{");
    await open();
    expect(await findToken(third)).toBeNull();
    expect(await findToken(readFile().token)).not.toBeNull();
    expect(await liveTokens()).toHaveLength(1);
  });

  it("does not take a token that somebody put there for its own", async () => {
    const user = await store.access.createUser(SYSTEM, { name: "zoe", role: "viewer" });
    await store.access.createToken(SYSTEM, { userId: user.id, name: "ci", tokenHash: sha256("drv_x"), role: "viewer" });
    writeFileSync(join(folder, "cli.json"), JSON.stringify({ url: URL_HERE, token: "drv_x" }));
    await (await open()).close();
    expect(await findToken("drv_x")).not.toBeNull();
  });

  it("keeps the file of another server in the same folder", async () => {
    const local = await open();
    const other = { url: "http://127.0.0.1:9999/", token: "drv_other" };
    writeFileSync(join(folder, "cli.json"), JSON.stringify(other));
    await local.close();
    expect(readFile()).toEqual(other);
  });

  it("has a token of its own for each data folder on one store", async () => {
    const elsewhere = join(folder, "other");
    const [one, other] = [await open(), await open(elsewhere)];
    expect(await liveTokens()).toHaveLength(2);
    await one.close();
    expect(await liveTokens()).toHaveLength(1);
    await other.close();
  });
});

describe("a login link", () => {
  it("is made at every start until somebody can sign in as an administrator", async () => {
    const links = [(await open()).loginLink, (await open()).loginLink];
    for (const link of links) expect(link).toMatch(/^http:\/\/127\.0\.0\.1:8420\/login#token=[\w-]{43}$/);
    expect(links[0]).not.toBe(links[1]);
    await store.access.createUser(SYSTEM, { name: "op", role: "operator", passwordHash: "x" });
    await store.access.createUser(SYSTEM, { name: "dev", role: "admin", passwordHash: "x", scopes: ["env=dev"] });
    expect((await open()).loginLink).not.toBeNull();
    const zoe = await store.access.createUser(SYSTEM, { name: "zoe", role: "admin", passwordHash: "x" });
    expect((await open()).loginLink).toBeNull();
    const bob = { name: "bob", role: "admin", oidcIssuer: "i", oidcSubject: "s" } as const;
    await store.access.createUser(SYSTEM, bob);
    await store.access.changeUser(SYSTEM, zoe.id, { disabled: true });
    expect((await open()).loginLink).toBeNull();
  });

  it("is no secret that the store or the audit log would tell", async () => {
    const token = (await open()).loginLink?.split("=")[1] ?? "";
    const told = JSON.stringify([await store.read.listAudit({ limit: 50 }), await store.settings.listSettings()]);
    expect(token).toHaveLength(43);
    expect(told).not.toContain(token);
  });
});
