import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Change, makeSnapshot } from "../../../../test/fake-machines/make-snapshot.ts";
import { BadSnapshot, readSnapshot } from "./read-snapshot.ts";

async function read(bytes: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), "drover-snapshot-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "snapshot"), bytes);
  return await readSnapshot(join(folder, "snapshot"));
}

const CHANGES: readonly Change[] = [
  ["/registry/namespaces/default", "a"],
  ["/registry/namespaces/shop", "b"],
  ["/registry/namespaces/gone", "c"],
  ["/registry/apiextensions.k8s.io/customresourcedefinitions/x", "d"],
  ["/registry/namespaces/gone"],
  ["/registry/namespaces/shop", "changed"],
  ["compact_rev_key", "1"],
  ["/bootstrap/authorities", "sealed"],
];

it("tells what is alive at the last revision, by resources", async () => {
  expect(await read(makeSnapshot(CHANGES))).toMatchObject({
    etcd: { revision: 8, keys: 5 },
    objects: { namespaces: 2, "customresourcedefinitions.apiextensions.k8s.io": 1 },
  });
});

it("reads trees of several levels and entries of several pages alike", async () => {
  const changes: readonly Change[] = [...CHANGES, ["/registry/configmaps/default/large", "x".repeat(20_000)]];
  const [one, many] = [await read(makeSnapshot(changes)), await read(makeSnapshot(changes, 2))];
  expect(many).toEqual(one);
  expect(many.objects).toMatchObject({ configmaps: 1, namespaces: 2 });
});

it("has another hash for another content", async () => {
  const other = CHANGES.map(([key, value], index): Change => (index === 0 ? [key, "other"] : ([key, value] as Change)));
  expect((await read(makeSnapshot(other))).etcd.hash).not.toBe((await read(makeSnapshot(CHANGES))).etcd.hash);
});

it("takes nothing that is spoilt, cut off or something else for a snapshot", async () => {
  const whole = makeSnapshot(CHANGES);
  const spoilt = Buffer.from(whole);
  spoilt[5_000] = 1;
  for (const bytes of [
    spoilt,
    whole.subarray(0, -PAGE),
    whole.subarray(0, -1),
    Buffer.from("x".repeat(99)),
    Buffer.of(),
  ]) {
    await expect(read(bytes)).rejects.toBeInstanceOf(BadSnapshot);
  }
});

const PAGE = 4096;
