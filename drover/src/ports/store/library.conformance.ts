import { describe, expect } from "vitest";
import { ada, breakTable, dump, failureOf, refusalOf, type StoreSubject, storeTest } from "./world.conformance.ts";

export function describeLibrary(subject: StoreSubject): void {
  const it = storeTest(subject);
  const entry = { kind: "template", name: "small", body: { a: [1, "ä"] } } as const;

  describe("library", () => {
    it("keeps entries by kind and name, and tells of every change", async ({ world: { store } }) => {
      const { library } = store;
      const made = await library.createEntry(ada, entry);
      expect(made).toMatchObject({ ...entry, version: 1, updatedBy: "ada" });
      expect(await library.createEntry(ada, { ...entry, body: 2 })).toBeNull();
      expect(await library.createEntry(ada, { ...entry, kind: "group" })).toMatchObject({ kind: "group" });
      await library.createEntry(ada, { ...entry, name: "Large" });
      expect((await library.listEntries("template")).map(({ name }) => name)).toEqual(["Large", "small"]);
      expect(await library.getEntry("template", "small")).toEqual(made);
      expect(await library.replaceEntry(ada, { ...entry, body: "new" })).toMatchObject({ version: 2, body: "new" });
      expect(await library.replaceEntry(ada, { ...entry, name: "none" })).toBeNull();
      expect(await library.deleteEntry(ada, "template", "small")).toBe(true);
      expect(await library.deleteEntry(ada, "template", "small")).toBe(false);
      expect(await library.getEntry("template", "small")).toBeNull();
      const audit = await store.read.listAudit({ limit: 9, objectName: "small" });
      expect(audit.map(({ action }) => action)).toEqual([
        "template.delete",
        "template.change",
        "group.create",
        "template.create",
      ]);
      expect((await store.read.readEvents({ after: 0, limit: 9 })).events).toHaveLength(5);
    });

    it("changes only from the version that was read, and answers a repeated key as before", async ({ world }) => {
      const { library } = world.store;
      const idempotency = { key: "k", requestHash: "h" };
      const made = await library.createEntry(ada, { ...entry, idempotency });
      expect(await library.createEntry(ada, { ...entry, idempotency })).toEqual(made);
      await library.replaceEntry(ada, { ...entry, expectedVersion: 1 });
      const before = await dump(world);
      expect(await refusalOf(library.replaceEntry(ada, { ...entry, expectedVersion: 1 }))).toBe("generation-conflict");
      expect(await dump(world)).toEqual(before);
    });

    it("keeps nothing without an audit entry", async ({ world }) => {
      await breakTable(world, "audit", "insert");
      const before = await dump(world);
      expect(await failureOf(world.store.library.createEntry(ada, entry))).toContain("broken");
      expect(await dump(world)).toEqual(before);
    });
  });
}
