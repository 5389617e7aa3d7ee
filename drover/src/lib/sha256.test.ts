import { expect, it } from "vitest";
import { sha256 } from "./sha256.ts";

it("hashes the UTF-8 bytes of a text", () => {
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(sha256("ä")).not.toBe(sha256("a"));
});
