import { expect, it } from "vitest";
import { listTar, readFirstFile } from "./read-tar.ts";
import { makeTar } from "./tar.ts";

it("reads the first file of an archive", () => {
  const archive = makeTar(
    [
      { name: "a", content: "x".repeat(700) },
      { name: "b", content: "second" },
    ],
    0,
  );
  expect(readFirstFile(archive)?.toString()).toBe("x".repeat(700));
});

it("skips what is no regular file, such as a link", () => {
  const archive = makeTar(
    [
      { name: "link", content: "" },
      { name: "file", content: "here" },
    ],
    0,
  );
  archive.write("2", 156);
  expect(readFirstFile(archive)?.toString()).toBe("here");
});

it("finds nothing in an archive that is empty or was cut off", () => {
  expect(readFirstFile(makeTar([], 0))).toBeNull();
  expect(readFirstFile(makeTar([{ name: "a", content: "x".repeat(700) }], 0).subarray(0, 600))).toBeNull();
  expect(readFirstFile(Buffer.alloc(0))).toBeNull();
});

it("lists the regular files of an archive, and says when it was cut off", () => {
  const archive = makeTar(
    [
      { name: "etc/a", content: "x".repeat(700) },
      { name: "etc/b", content: "" },
    ],
    0,
  );
  expect(listTar(archive)).toEqual(["/etc/a", "/etc/b"]);
  expect(() => listTar(archive.subarray(0, 600))).toThrow("cut off");
});
