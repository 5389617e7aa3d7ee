import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadMasterKey, masterKey } from "./key-ring.ts";

const unusable = expect.objectContaining({ code: "master-key-unusable" });

describe("the master key file", () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "drover-key-"));
    file = join(folder, "keys", "master.key");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is made once, for its owner only, and read ever after", () => {
    const made = loadMasterKey(file, { create: true });
    expect(made.key).toHaveLength(32);
    expect(readFileSync(file, "utf8")).toBe(`${made.key.toString("hex")}\n`);
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    expect((statSync(join(folder, "keys")).mode & 0o777).toString(8)).toBe("700");
    expect(loadMasterKey(file, { create: true })).toEqual(made);
    expect(loadMasterKey(file, { create: false })).toEqual(made);
    expect(readdirSync(join(folder, "keys"))).toEqual(["master.key"]);
  });

  it("is for its owner only whatever the habit of the process", () => {
    const habit = process.umask(0);
    try {
      loadMasterKey(file, { create: true });
    } finally {
      process.umask(habit);
    }
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  });

  it("is not made where a store exists already", () => {
    expect(() => loadMasterKey(file, { create: false })).toThrow(unusable);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is refused when it does not hold 64 hexadecimal digits, and left as it is", () => {
    const digits = "0123456789abcdef".repeat(4);
    for (const text of [
      "",
      "\n",
      digits.slice(1),
      `${digits}0`,
      digits.replace("f", "g"),
      `x${digits}`,
      `${digits}\n${digits}`,
    ]) {
      const path = join(folder, "key");
      writeFileSync(path, text);
      expect(() => loadMasterKey(path, { create: true })).toThrow(unusable);
      expect(readFileSync(path, "utf8")).toBe(text);
    }
    for (const text of [digits, `${digits}\n`, `${digits.toUpperCase()}\r\n`]) {
      writeFileSync(join(folder, "key"), text);
      expect(loadMasterKey(join(folder, "key"), { create: false }).key.toString("hex")).toBe(digits);
    }
  });

  it("is told apart by a name that tells nothing of it", () => {
    const [one, two] = [masterKey(Buffer.alloc(32, 1)), masterKey(Buffer.alloc(32, 2))];
    expect(one.id).not.toBe(two.id);
    expect(one.id).toMatch(/^[0-9a-f]{16}$/);
    expect(one.key.toString("hex")).not.toContain(one.id);
    expect(() => masterKey(Buffer.alloc(31))).toThrow(unusable);
  });

  it("is refused when it cannot be read", () => {
    const path = join(folder, "key");
    writeFileSync(path, "x");
    chmodSync(path, 0o000);
    expect(() => loadMasterKey(folder, { create: true })).toThrow(unusable);
  });

  it("is one and the same for processes that start at once", async () => {
    const module = new URL("./key-ring.ts", import.meta.url).href;
    const script = `
      import { loadMasterKey } from ${JSON.stringify(module)};
      const ids = [];
      for (let n = 0; n < 150; n++) ids.push(loadMasterKey(${JSON.stringify(folder)} + "/k" + n, { create: true }).id);
      console.log(ids.join(" "));`;
    const flags = [
      "--import",
      "tsx",
      "--conditions=drover-source",
      "--no-warnings",
      "--input-type=module",
      "-e",
      script,
    ];
    const runs = Array.from({ length: 3 }, () => promisify(execFile)(process.execPath, flags));
    const [first, ...others] = (await Promise.all(runs)).map(({ stdout }) => stdout.trim());
    expect(new Set(first?.split(" ")).size).toBe(150);
    for (const other of others) expect(other).toBe(first);
    expect(readdirSync(folder)).toHaveLength(150);
  });
});
