import { createHash } from "node:crypto";
import { checksumOf } from "../../src/lib/read-bolt.ts";

const PAGE = 4096;
const [BRANCH, LEAF, META] = [0x01, 0x02, 0x04];

interface Element {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly isBucket?: boolean;
}

/** One change of a key; without a value it is deleted. */
export type Change = readonly [key: string, value?: string];

/** A snapshot as etcd writes it: a file of bbolt with the history of all keys, and its SHA-256 behind it. */
export function makeSnapshot(changes: readonly Change[], perLeaf = Number.POSITIVE_INFINITY): Buffer {
  const history = changes.map(([name, value], index): Element => {
    const key = Buffer.alloc(value === undefined ? 18 : 17, "t");
    key.writeBigUInt64BE(BigInt(index + 1), 0);
    key.write("_", 8);
    key.writeBigUInt64BE(0n, 9);
    return { key, value: Buffer.concat([field(0x0a, name), value === undefined ? Buffer.of() : field(0x2a, value)]) };
  });
  const bytes = makeBolt([{ key: Buffer.from("1"), value: Buffer.from("small") }], history, perLeaf);
  return Buffer.concat([bytes, createHash("sha256").update(bytes).digest()]);
}

function field(tag: number, text: string): Buffer {
  const length: number[] = [];
  for (let rest = Buffer.byteLength(text); ; rest >>>= 7) {
    length.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
    if (rest <= 0x7f) break;
  }
  return Buffer.concat([Buffer.of(tag, ...length), Buffer.from(text)]);
}

/** Two buckets: a small one that lies in its own entry, and one of as many pages as it takes. */
function makeBolt(small: readonly Element[], large: readonly Element[], perLeaf: number): Buffer {
  const pages: Buffer[] = [Buffer.alloc(PAGE), Buffer.alloc(PAGE), Buffer.alloc(PAGE)];
  const idOf = (page: Buffer): number => {
    const id = pages.reduce((sum, one) => sum + one.length / PAGE, 0);
    pages.push(page);
    return id;
  };
  const size = Math.min(perLeaf, Math.max(large.length, 1));
  const leaves = Array.from({ length: Math.max(Math.ceil(large.length / size), 1) }, (_, index) => {
    const part = large.slice(index * size, (index + 1) * size);
    return { key: part[0]?.key ?? Buffer.of(), id: idOf(padded(leafOf(part))) };
  });
  const top = leaves.length === 1 ? (leaves[0]?.id ?? 0) : idOf(padded(branchOf(leaves)));
  const root = idOf(
    padded(
      leafOf([
        { key: Buffer.from("alarm"), value: Buffer.concat([Buffer.alloc(16), leafOf(small)]), isBucket: true },
        { key: Buffer.from("key"), value: bucketAt(top), isBucket: true },
      ]),
    ),
  );
  writeMeta(pages[0] as Buffer, root, 1n);
  // A transaction that came to nothing: its page does not count.
  writeMeta(pages[1] as Buffer, root + 1, 0n);
  return Buffer.concat(pages);
}

function bucketAt(id: number): Buffer {
  const value = Buffer.alloc(16);
  value.writeBigUInt64LE(BigInt(id), 0);
  return value;
}

function leafOf(elements: readonly Element[]): Buffer {
  const heads = Buffer.alloc(16 + elements.length * 16);
  heads.writeUInt16LE(LEAF, 8);
  heads.writeUInt16LE(elements.length, 10);
  const contents: Buffer[] = [];
  let at = heads.length;
  for (const [index, { key, value, isBucket }] of elements.entries()) {
    const head = 16 + index * 16;
    heads.writeUInt32LE(isBucket === true ? 1 : 0, head);
    heads.writeUInt32LE(at - head, head + 4);
    heads.writeUInt32LE(key.length, head + 8);
    heads.writeUInt32LE(value.length, head + 12);
    contents.push(key, value);
    at += key.length + value.length;
  }
  return Buffer.concat([heads, ...contents]);
}

function branchOf(children: readonly { readonly key: Buffer; readonly id: number }[]): Buffer {
  const heads = Buffer.alloc(16 + children.length * 16);
  heads.writeUInt16LE(BRANCH, 8);
  heads.writeUInt16LE(children.length, 10);
  let at = heads.length;
  for (const [index, { key, id }] of children.entries()) {
    const head = 16 + index * 16;
    heads.writeUInt32LE(at - head, head);
    heads.writeUInt32LE(key.length, head + 4);
    heads.writeBigUInt64LE(BigInt(id), head + 8);
    at += key.length;
  }
  return Buffer.concat([heads, ...children.map(({ key }) => key)]);
}

/** To whole pages, of which the first says how many follow. */
function padded(page: Buffer): Buffer {
  const whole = Buffer.concat([page, Buffer.alloc((PAGE - (page.length % PAGE)) % PAGE)]);
  whole.writeUInt32LE(whole.length / PAGE - 1, 12);
  return whole;
}

function writeMeta(page: Buffer, root: number, transaction: bigint): void {
  page.writeUInt16LE(META, 8);
  page.writeUInt32LE(0xed0cdaed, 16);
  page.writeUInt32LE(2, 20);
  page.writeUInt32LE(PAGE, 24);
  page.writeBigUInt64LE(BigInt(root), 32);
  page.writeBigUInt64LE(transaction, 64);
  page.writeBigUInt64LE(checksumOf(page.subarray(16, 72)), 72);
}
