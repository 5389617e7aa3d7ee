import { describe, expect } from "vitest";
import type { Store } from "./index.ts";
import { ada, declare, type StoreSubject, storeTest } from "./world.conformance.ts";

const bob = { type: "token", name: "bob" } as const;

async function write(store: Store, entries: number): Promise<void> {
  for (let index = 1; index <= entries; index++) {
    const body = { index, text: "Ä \u2028 \ud800", nested: { b: 1, a: [null] } };
    await store.audit.recordAudit(index % 2 === 0 ? bob : ada, {
      action: "sign-in",
      objectKind: "session",
      objectName: `s${index}`,
      body,
    });
  }
}

export function describeAudit(subject: StoreSubject): void {
  const it = storeTest(subject);

  it("keeps who did what to what, newest first, each linked to the one before", async ({ world: { store } }) => {
    await write(store, 3);
    const [third, second, first] = await store.read.listAudit({ limit: 10 });
    expect(first).toMatchObject({ seq: 1, actor: ada, action: "sign-in", objectName: "s1", previousHash: "" });
    expect(second).toMatchObject({ seq: 2, actor: bob, previousHash: first?.hash });
    expect(third).toMatchObject({
      seq: 3,
      previousHash: second?.hash,
      body: { index: 3, nested: { a: [null], b: 1 } },
    });
    expect(first?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await store.audit.verifyAudit()).toEqual({ ok: true, checked: 3, broken: null });
  });

  it("is listed by actor, by object and by page", async ({ world: { store } }) => {
    await write(store, 5);
    await declare(store, "dev");
    const seqs = async (query: object) => (await store.read.listAudit({ limit: 10, ...query })).map(({ seq }) => seq);
    expect(await seqs({ actor: "bob" })).toEqual([4, 2]);
    expect(await seqs({ objectKind: "cluster" })).toEqual([6]);
    expect(await seqs({ objectKind: "session", objectName: "s3" })).toEqual([3]);
    expect(await seqs({ limit: 2 })).toEqual([6, 5]);
    expect(await seqs({ limit: 2, before: 5 })).toEqual([4, 3]);
  });

  it("is a chain without holes whoever writes at once", async ({ world }) => {
    const other = await world.open();
    const entry = { action: "a", objectKind: "k", objectName: "n" };
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? world.store : other).audit.recordAudit(ada, entry)),
    );
    expect(await world.store.audit.verifyAudit()).toEqual({ ok: true, checked: 40, broken: null });
  });

  it("verifies when it is empty", async ({ world: { store } }) => {
    expect(await store.audit.verifyAudit()).toEqual({ ok: true, checked: 0, broken: null });
  });

  it("verifies more entries than are read at once, while others append", async ({ world }) => {
    const { store } = world;
    const entry = { action: "a", objectKind: "k", objectName: "n" };
    // Not all at once: they would wait for a connection, and who waits too long is sent away.
    for (let part = 0; part < 22; part++) {
      await Promise.all(Array.from({ length: 50 }, () => store.audit.recordAudit(ada, entry)));
    }
    const [verdict] = await Promise.all([
      store.audit.verifyAudit(),
      ...Array.from({ length: 50 }, () => store.audit.recordAudit(ada, entry)),
    ]);
    expect(verdict.ok).toBe(true);
    expect(verdict.checked).toBeGreaterThanOrEqual(1_100);
  });

  describe("finds", () => {
    for (const [change, value] of Object.entries({
      at: "1",
      actor_type: "'system'",
      actor_name: "'eve'",
      actor_address: "null",
      action: "'nothing'",
      object_kind: "'x'",
      object_name: "'x'",
      body: "'{}'",
      hash: "'0'",
      previous_hash: "'0'",
    })) {
      it(`a changed ${change}`, async ({ world }) => {
        await write(world.store, 3);
        await world.execute(`update audit set ${change} = ${value} where seq = 1`);
        const verdict = await world.store.audit.verifyAudit();
        expect(verdict).toMatchObject({ ok: false, broken: { seq: 1 } });
      });
    }

    const copied =
      "at, actor_type, actor_name, actor_address, action, object_kind, object_name, body, previous_hash, hash";
    for (const [attack, sql, seq, why] of [
      ["a removed entry", "delete from audit where seq = 2", 2, "missing"],
      ["a removed first entry", "delete from audit where seq = 1", 1, "missing"],
      ["a cut-off end", "delete from audit where seq >= 2", 2, "missing"],
      ["an emptied log", "delete from audit", 1, "missing"],
      ["two entries that changed places", "update audit set seq = 5 - seq where seq in (2, 3)", 2, "follow"],
      ["an inserted entry", "update audit set seq = seq + 1 where seq = 3", 3, "missing"],
      [
        "an entry added behind the head",
        `insert into audit (seq, ${copied}) select 4, ${copied} from audit where seq = 3`,
        4,
        "behind",
      ],
      [
        "a head that was turned back",
        "update audit_head set seq = 2, hash = (select hash from audit where seq = 2)",
        3,
        "behind",
      ],
      ["a head that was removed", "delete from audit_head", 0, "head"],
    ] as const) {
      it(attack, async ({ world }) => {
        await write(world.store, 3);
        const free = world.database === "postgres" ? "alter table audit drop constraint audit_pkey" : "select 1";
        await world.execute(free);
        if (attack.startsWith("two") && world.database === "sqlite") {
          await world.execute("update audit set seq = 9 where seq = 2");
          await world.execute("update audit set seq = 2 where seq = 3");
          await world.execute("update audit set seq = 3 where seq = 9");
        } else await world.execute(sql);
        const verdict = await world.store.audit.verifyAudit();
        expect(verdict).toMatchObject({ ok: false, broken: { seq } });
        expect(verdict.broken?.why).toContain(why);
      });
    }

    it("a last entry that was forged with a fitting hash", async ({ world }) => {
      await write(world.store, 2);
      await world.execute("delete from audit where seq = 2");
      await world.execute(
        "update audit_head set seq = 1, hash = previous.hash from (select hash from audit where seq = 1) as previous",
      );
      await write(world.store, 1);
      await world.execute("update audit_head set hash = 'what it was before'");
      expect(await world.store.audit.verifyAudit()).toMatchObject({ ok: false, broken: { seq: 2 } });
    });
  });
}
