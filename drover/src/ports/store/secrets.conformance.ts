import { describe, expect } from "vitest";
import type { Store } from "./index.ts";
import { ada, countRows, dump, refusalOf, type StoreSubject, type StoreWorld, storeTest } from "./world.conformance.ts";

const CANARY = "canary-5f2b9c-plaintext";
const put = (store: Store, name: string, value = `${CANARY} ${name}`, owner = "cluster/1") =>
  store.secrets.putSecret(ada, { owner, name, value: Buffer.from(value) });
const read = async (store: Store, name: string, owner = "cluster/1") => {
  const value = await store.secrets.getSecret(owner, name);
  return value === null ? null : Buffer.from(value).toString();
};

export function describeSecrets(subject: StoreSubject): void {
  const it = storeTest(subject);

  it("gives back what was put, byte by byte, and counts versions", async ({ world: { store } }) => {
    const value = Uint8Array.from({ length: 256 }, (_, index) => index);
    const first = await store.secrets.putSecret(ada, { owner: "cluster/1", name: "key", value });
    expect(first).toMatchObject({ owner: "cluster/1", name: "key", version: 1 });
    expect([...((await store.secrets.getSecret("cluster/1", "key")) ?? [])]).toEqual([...value]);
    expect((await put(store, "key", "second")).version).toBe(2);
    expect(await read(store, "key")).toBe("second");
    expect(await read(store, "none")).toBeNull();
    expect(await read(store, "key", "cluster/2")).toBeNull();
    await store.secrets.putSecret(ada, { owner: "o", name: "empty", value: Buffer.alloc(0) });
    expect(await read(store, "empty", "o")).toBe("");
  });

  it("lists names only, deletes, and audits without the value", async ({ world: { store } }) => {
    await put(store, "b");
    await put(store, "a");
    await put(store, "z", "x", "settings");
    const names = async (owner?: string) =>
      (await store.secrets.listSecrets(owner)).map((info) => [info.owner, info.name]);
    expect(await names("cluster/1")).toEqual([
      ["cluster/1", "a"],
      ["cluster/1", "b"],
    ]);
    expect(await names()).toHaveLength(3);
    expect(JSON.stringify(await store.secrets.listSecrets())).not.toContain(CANARY);
    expect(await store.secrets.deleteSecret(ada, "cluster/1", "a")).toBe(true);
    expect(await store.secrets.deleteSecret(ada, "cluster/1", "a")).toBe(false);
    expect(await read(store, "a")).toBeNull();
    const entries = await store.read.listAudit({ limit: 10, objectKind: "secret" });
    expect(entries.map(({ action, objectName }) => [action, objectName])).toEqual([
      ["secret.delete", "cluster/1/a"],
      ["secret.put", "settings/z"],
      ["secret.put", "cluster/1/a"],
      ["secret.put", "cluster/1/b"],
    ]);
    expect(JSON.stringify(entries)).not.toContain(CANARY);
  });

  it("keeps the last of many that are put at once", async ({ world }) => {
    const other = await world.open();
    const stores = [world.store, other];
    const puts = Array.from({ length: 12 }, (_, index) => put(stores[index % 2] ?? other, "key", `v${index}`));
    const versions = (await Promise.all(puts)).map(({ version }) => version);
    expect([...versions].sort((a, b) => a - b)).toEqual(versions.map((_, index) => index + 1));
    expect(await read(world.store, "key")).toBe(`v${versions.indexOf(12)}`);
  });

  describe("a row that was tampered with does not decrypt", () => {
    const swap = (columns: string) => async (world: StoreWorld) => {
      const rows = await world.execute("select * from secrets where name = 'b'");
      const set = columns.split(" ").map((column) => `${column} = '${String(rows[0]?.[column])}'`);
      await world.execute(`update secrets set ${set.join(", ")} where name = 'a'`);
    };
    const flip = (column: string) => async (world: StoreWorld) => {
      const rows = await world.execute(`select ${column} as value from secrets where name = 'a'`);
      const bytes = Buffer.from(String(rows[0]?.["value"]), "base64");
      bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
      await world.execute(`update secrets set ${column} = '${bytes.toString("base64")}' where name = 'a'`);
    };
    for (const [how, tamper] of Object.entries({
      "its ciphertext is another row's": swap("ciphertext"),
      "all of its encrypted parts are another row's": swap("ciphertext wrapped_key master_key_id"),
      "it has another id": (world: StoreWorld) => world.execute("update secrets set id = 'x' where name = 'a'"),
      "it has another version": (world: StoreWorld) => world.execute("update secrets set version = 2 where name = 'a'"),
      "its ciphertext was changed": flip("ciphertext"),
      "its wrapped key was changed": flip("wrapped_key"),
      "its ciphertext was cut off": (world: StoreWorld) =>
        world.execute("update secrets set ciphertext = substr(ciphertext, 1, 12) where name = 'a'"),
    })) {
      it(how, async ({ world }) => {
        await put(world.store, "a");
        await put(world.store, "b");
        await tamper(world);
        expect(await refusalOf(world.store.secrets.getSecret("cluster/1", "a"))).toBe("secret-unreadable");
        expect(await read(world.store, "b")).toBe(`${CANARY} b`);
      });
    }

    it("it was moved to another owner or name", async ({ world }) => {
      await put(world.store, "a");
      await world.execute("update secrets set owner = 'cluster/2', name = 'c'");
      expect(await refusalOf(world.store.secrets.getSecret("cluster/2", "c"))).toBe("secret-unreadable");
    });
  });

  it("carries a note that may be seen, and must be new or exist where that is asked", async ({ world }) => {
    const { secrets } = world.store;
    const secret = { owner: "named", name: "key", value: Buffer.from(CANARY), note: { keys: ["a"] } };
    expect(await refusalOf(secrets.putSecret(ada, { ...secret, must: "exist" }))).toBe("secret-not-found");
    expect(await secrets.listSecrets("named")).toEqual([]);
    expect(await secrets.putSecret(ada, { ...secret, must: "be-new" })).toMatchObject({ version: 1 });
    expect(await refusalOf(secrets.putSecret(ada, { ...secret, must: "be-new" }))).toBe("secret-exists");
    await secrets.putSecret(ada, { ...secret, note: { keys: ["b"] }, must: "exist" });
    expect(await secrets.listSecrets("named")).toMatchObject([{ version: 2, note: { keys: ["b"] } }]);
  });

  it("seals what is kept elsewhere, for its name and this key alone", async ({ world: { store } }) => {
    const plain = Uint8Array.from({ length: 256 }, (_, index) => index);
    const sealed = store.secrets.seal("backup 1", plain);
    expect([...store.secrets.open("backup 1", sealed)]).toEqual([...plain]);
    const refuse = async (name: string, text: string) =>
      await refusalOf((async () => store.secrets.open(name, text))());
    expect(await refuse("backup 2", sealed)).toBe("secret-unreadable");
    expect(await refuse("backup 1", sealed.slice(0, -20))).toBe("secret-unreadable");
    expect(await refuse("backup 1", "{}")).toBe("secret-unreadable");
    const envelope = JSON.parse(sealed) as object;
    expect(await refuse("backup 1", JSON.stringify({ ...envelope, masterKeyId: "another" }))).toBe("master-key-wrong");
  });

  it("has no plaintext in any row", async ({ world }) => {
    await put(world.store, "a");
    await put(world.store, "a");
    const everything = JSON.stringify(await dump(world));
    expect(everything).toContain("cluster/1");
    for (const form of [
      CANARY,
      Buffer.from(CANARY).toString("base64").slice(0, 20),
      Buffer.from(CANARY).toString("hex"),
    ]) {
      expect(everything).not.toContain(form);
    }
  });

  describe("the master key", () => {
    it("is refused when it is not the store's, and nothing is written", async ({ world }) => {
      await put(world.store, "a");
      const before = await dump(world);
      await expect(world.open({ key: 2 })).rejects.toMatchObject({ code: "master-key-wrong" });
      await expect(world.open({ key: 2, older: [3] })).rejects.toMatchObject({ code: "master-key-wrong" });
      expect(await dump(world)).toEqual(before);
    });

    it("is changed while others read on, and the old one is not needed any more", async ({ world }) => {
      const names = Array.from({ length: 230 }, (_, index) => `s${index}`);
      await Promise.all(names.map((name) => put(world.store, name)));
      const rotating = await world.open({ key: 2, older: [1] });
      expect(await read(rotating, "s7")).toBe(`${CANARY} s7`);
      await put(rotating, "new");
      const before = await world.execute("select id, ciphertext from secrets order by id");
      const reads = names.slice(0, 50).map((name) => read(rotating, name));
      const [count, ...values] = await Promise.all([rotating.secrets.rewrapSecrets(ada), ...reads]);
      expect(count).toBe(230);
      expect(values).toEqual(names.slice(0, 50).map((name) => `${CANARY} ${name}`));
      expect(await world.execute("select id, ciphertext from secrets order by id")).toEqual(before);
      expect(
        await countRows(world, "secrets", `master_key_id = (select master_key_id from secrets where name = 'new')`),
      ).toBe(231);
      expect(await rotating.secrets.rewrapSecrets(ada)).toBe(0);
      const alone = await world.open({ key: 2 });
      expect(await read(alone, "s229")).toBe(`${CANARY} s229`);
      await expect(world.open({ key: 1 })).rejects.toMatchObject({ code: "master-key-wrong" });
      const [entry] = await alone.read.listAudit({ limit: 1, objectKind: "master-key" });
      expect(entry).toMatchObject({ action: "secret.rewrap" });
    });

    it("that is missing for one secret says so, and for that one only", async ({ world }) => {
      await put(world.store, "a");
      await put(world.store, "b");
      await world.execute("update secrets set master_key_id = 'unknown' where name = 'a'");
      expect(await refusalOf(world.store.secrets.getSecret("cluster/1", "a"))).toBe("master-key-wrong");
      expect(await read(world.store, "b")).toBe(`${CANARY} b`);
    });
  });
}
