import { expect, it } from "vitest";
import { fingerprintOf, formatHostKey, isSameKey, listSignatures, parseHostKey, readHostKey } from "./host-key.ts";

const LINE = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKPElNdwfpayJwXJlY+dG15c7ziUwIPzsZTgLhb0XUWy";

it("prints the fingerprint as ssh-keygen does", () => {
  expect(fingerprintOf(parseHostKey(`${LINE} fixture`))).toBe("SHA256:1Fh4UeyDsrnnJy/ESJ+bKG91DMWNzuKPjHgi+DYljYs");
});

it("reads a key back as it was written, from a line and from the wire", () => {
  const key = parseHostKey(LINE);
  expect(formatHostKey(key)).toBe(LINE);
  expect(isSameKey(readHostKey(Buffer.from(key.key, "base64")), key)).toBe(true);
  expect(isSameKey(key, { ...key, key: `${key.key.slice(0, -4)}AAAA` })).toBe(false);
});

it.each([
  "",
  "ssh-ed25519",
  "ssh-ed25519 AAAA",
  LINE.replace("ed25519 ", "rsa "),
  "constructor AAAA",
  "ssh-dss AAAAB3NzaC1kc3M=",
])("refuses %j", (line) => expect(() => parseHostKey(line)).toThrow(/no public host key/));

it("asks first for the type that is pinned, and for every other then", () => {
  const pinned = { type: "ssh-rsa", key: "" };
  expect(listSignatures([pinned.type]).slice(0, 2)).toEqual(["rsa-sha2-512", "rsa-sha2-256"]);
  expect(listSignatures([pinned.type]).toSorted()).toEqual(listSignatures([]).toSorted());
  expect(listSignatures([])).not.toContain("ssh-rsa");
});
