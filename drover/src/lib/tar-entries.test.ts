import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { makeTar } from "./tar.ts";
import { tarEntries } from "./tar-entries.ts";

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(archive: Buffer, size = 1_000): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name, kind, target, content } of tarEntries(inPieces(archive, size))) {
    const parts: Buffer[] = [];
    for await (const part of content) parts.push(part);
    if (kind === "file") found[name] = Buffer.concat(parts).toString();
    if (kind === "link") found[name] = found[target] ?? "";
  }
  return found;
}

const long = `${"folder-with-a-long-name/".repeat(8)}file`;

it.each(["gnu", "pax", "ustar"])("reads what tar writes as %s", async (format) => {
  const folder = mkdtempSync(join(tmpdir(), "drover-tar-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = { "a/one": "1", "a/empty": "", [long]: "x".repeat(100_000), "with blank ü": "2" };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  linkSync(join(folder, "a/one"), join(folder, "b"));
  const archive = execFileSync("tar", ["--format", format, "--sort=name", "-C", folder, "-cf", "-", "."], {
    maxBuffer: 1 << 24,
  });
  expect(await read(archive)).toEqual({ ...files, b: "1" });
});

it("reads the same, in whatever pieces the archive comes, and whatever members are passed over", async () => {
  const text = fc.string({ maxLength: 2_000 });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 5 }), fc.integer({ min: 1, max: 1_500 }), async (texts, size) => {
      const archive = makeTar(
        texts.map((content, at) => ({ name: `f${at}`, content })),
        0,
      );
      expect(Object.values(await read(archive, size))).toEqual(texts.map((one) => Buffer.from(one).toString()));
      const names: string[] = [];
      for await (const { name } of tarEntries(inPieces(archive, size))) names.push(name);
      expect(names).toEqual(texts.map((_, at) => `f${at}`));
    }),
    { numRuns: 50 },
  );
});

it("does not take a cut archive, or something else, for a whole one", async () => {
  const archive = makeTar([{ name: "a", content: "x".repeat(5_000) }], 0);
  await expect(read(archive.subarray(0, 2_000))).rejects.toThrow("cut off");
  await expect(read(archive.subarray(0, 100))).rejects.toThrow("cut off");
  await expect(read(Buffer.alloc(2_000, "html"))).rejects.toThrow("no tar archive");
});
