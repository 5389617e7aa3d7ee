import { beforeEach, describe, expect, it } from "vitest";
import { isFileError } from "../lib/file-error.ts";
import { runOrThrow } from "./connector.ts";
import type { Subject } from "./connector-subject.conformance.ts";

export function describeFiles(get: () => Subject): void {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text));
  const put = (path: string, text: string, mode?: number) =>
    get().connector.put(path, bytes(text), mode === undefined ? {} : { mode });
  const read = async (path: string) => Buffer.from(await get().connector.get(path)).toString("utf8");
  const run = async (...argv: [string, ...string[]]) => (await runOrThrow(get().connector, { argv })).stdout.trim();
  let folder = "";
  let count = 0;

  const listFolder = async () => (await run("ls", "-A", "--", folder)).split("\n").filter((name) => name !== "");

  beforeEach(async () => {
    folder = `${get().harness.folder}/files-${count++}`;
    await run("mkdir", folder);
  });

  describe("files", () => {
    it("come back as they were put, byte for byte", async () => {
      const content = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 256);
      await get().connector.put(`${folder}/a`, content);
      expect(Buffer.compare(await get().connector.get(`${folder}/a`), content)).toBe(0);
      await put(`${folder}/a`, "");
      expect(await read(`${folder}/a`)).toBe("");
    });

    it("are for their owner alone unless said otherwise", async () => {
      await put(`${folder}/secret`, "x");
      await put(`${folder}/public`, "x", 0o644);
      await put(`${folder}/program`, "x", 0o777);
      expect(await run("stat", "-c", "%a", `${folder}/secret`, `${folder}/public`, `${folder}/program`)).toBe(
        "600\n644\n777",
      );
      await put(`${folder}/public`, "now secret");
      expect(await run("stat", "-c", "%a", `${folder}/public`)).toBe("600");
    });

    it("may have any name", async () => {
      for (const name of ["-rf", "a b", "$(id)", "it's", 'q"q', "ä🐏", "a\nb", "x".repeat(255)]) {
        await put(`${folder}/${name}`, name);
        expect(await read(`${folder}/${name}`), name).toBe(name);
      }
    });

    it("leave nothing else behind", async () => {
      await put(`${folder}/a`, "1");
      await put(`${folder}/a`, "2");
      expect(await listFolder()).toEqual(["a"]);
    });
  });

  describe("putting", () => {
    it("is seen as a whole or not at all", async () => {
      const path = `${folder}/flips`;
      const versions = ["a", "b"].map((letter) => letter.repeat(2_000_000));
      await put(path, versions[0] ?? "");
      let writing = true;
      const writer = (async () => {
        for (let at = 1; at <= 10; at++) await put(path, versions[at % 2] ?? "");
        writing = false;
      })();
      const torn: number[] = [];
      let reads = 0;
      while (writing) {
        const seen = await read(path);
        reads++;
        if (!versions.includes(seen)) torn.push(seen.length);
      }
      await writer;
      expect(torn).toEqual([]);
      expect(reads).toBeGreaterThan(1);
      expect(await listFolder()).toEqual(["flips"]);
    });

    it("of many at once leaves one of them, whole", async () => {
      const path = `${folder}/contended`;
      const versions = Array.from({ length: 10 }, (_, at) => String(at).repeat(100_000));
      await Promise.all(versions.map((version) => put(path, version)));
      expect(versions).toContain(await read(path));
      expect(await listFolder()).toEqual(["contended"]);
    });

    it("replaces a symbolic link and leaves what it points at alone", async () => {
      await put(`${folder}/target`, "old");
      await run("ln", "-s", `${folder}/target`, `${folder}/link`);
      await run("ln", "-s", `${folder}/nowhere`, `${folder}/dangling`);
      await put(`${folder}/link`, "new");
      await put(`${folder}/dangling`, "new");
      expect(await read(`${folder}/target`)).toBe("old");
      expect(await read(`${folder}/link`)).toBe("new");
      expect(await run("stat", "-c", "%F", `${folder}/link`, `${folder}/dangling`)).toBe("regular file\nregular file");
      expect(await listFolder()).not.toContain("nowhere");
    });

    it("needs the folder to be there", async () => {
      await expect(put(`${folder}/missing/a`, "x")).rejects.toSatisfy((error) => isFileError(error, "not-found"));
      expect(await listFolder()).toEqual([]);
    });

    it.each(["", "/"])("over a folder fails and leaves it as it was: folder%s", async (ending) => {
      await run("mkdir", `${folder}/inside`);
      await put(`${folder}/inside/a`, "kept");
      await expect(put(`${folder}/inside${ending}`, "x")).rejects.toSatisfy((error) => isFileError(error));
      expect(await listFolder()).toEqual(["inside"]);
      expect(await read(`${folder}/inside/a`)).toBe("kept");
    });
  });

  describe("getting", () => {
    it("says which file is missing", async () => {
      const path = `${folder}/absent`;
      const error = await get()
        .connector.get(path)
        .catch((caught) => caught);
      expect(isFileError(error, "not-found")).toBe(true);
      expect(error).toMatchObject({ path, host: get().connector.host });
      expect(error.message).toContain(path);
    });

    it("follows links, as the system's own files are some", async () => {
      await put(`${folder}/target`, "content");
      await run("ln", "-s", "target", `${folder}/link`);
      expect(await read(`${folder}/link`)).toBe("content");
      expect(await read("/proc/self/status")).toContain("Pid:");
    });

    it("refuses what is no file instead of waiting for it", async () => {
      await run("mkfifo", `${folder}/pipe`);
      for (const path of [`${folder}/pipe`, folder, "/dev/zero"]) {
        await expect(get().connector.get(path), path).rejects.toSatisfy((error) => isFileError(error, "failed"));
      }
    });
  });

  it.each(["relative/path", "", "./a"])(
    "paths are absolute, as nobody knows what %j would be relative to",
    async (path) => {
      await expect(put(path, "x")).rejects.toSatisfy((error) => isFileError(error, "failed"));
      await expect(read(path)).rejects.toSatisfy((error) => isFileError(error, "failed"));
      await expect(get().connector.run({ argv: ["true"], directory: path })).rejects.toMatchObject({
        reason: "failed",
      });
    },
  );
}
