import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testKeys } from "../../../test/store-world.ts";
import { decrypt, type Envelope, encrypt, rewrap } from "./envelope.ts";

const unreadable = expect.objectContaining({ code: "secret-unreadable" });
const ring = testKeys(1);
const plain = Buffer.from("the secret");

describe("envelopes", () => {
  it("give back what was put in, whatever it is and whoever it belongs to", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.string({ unit: "binary" }), (value, identity) => {
        expect(Buffer.compare(decrypt(ring, identity, encrypt(ring, identity, value)), value)).toBe(0);
      }),
    );
  });

  it("have a key of their own each: the same secret never looks the same", () => {
    const [a, b] = [encrypt(ring, "i", plain), encrypt(ring, "i", plain)];
    expect(a.ciphertext).not.toBe(b.ciphertext);
    expect(a.wrappedKey).not.toBe(b.wrappedKey);
    expect(() => decrypt(ring, "i", { ...a, wrappedKey: b.wrappedKey })).toThrow(unreadable);
    expect(() => decrypt(ring, "i", { ...a, ciphertext: b.ciphertext })).toThrow(unreadable);
  });

  it("do not open for another identity, nor one part as the other", () => {
    const envelope = encrypt(ring, "one", plain);
    expect(() => decrypt(ring, "two", envelope)).toThrow(unreadable);
    expect(() => decrypt(ring, "", envelope)).toThrow(unreadable);
    expect(() => decrypt(ring, "one", { ...envelope, ciphertext: envelope.wrappedKey })).toThrow(unreadable);
  });

  it("do not open when a single bit of them was changed", () => {
    const envelope = encrypt(ring, "i", plain);
    for (const part of ["ciphertext", "wrappedKey"] as const) {
      const bytes = Buffer.from(envelope[part], "base64");
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        expect(() => decrypt(ring, "i", { ...envelope, [part]: changed.toString("base64") })).toThrow(unreadable);
      }
    }
  });

  it("do not open when they were cut off", () => {
    const envelope = encrypt(ring, "i", plain);
    for (const part of ["ciphertext", "wrappedKey"] as const) {
      const bytes = Buffer.from(envelope[part], "base64");
      for (const length of [0, 1, 11, 12, 13, 20, 27, 28, bytes.length - 1]) {
        const cut: Envelope = { ...envelope, [part]: bytes.subarray(0, length).toString("base64") };
        expect(() => decrypt(ring, "i", cut), `${part} ${length}`).toThrow(unreadable);
      }
    }
  });

  it("open with an older key of the ring, and under the new one alone once they are wrapped anew", () => {
    const old = encrypt(testKeys(1), "i", plain);
    const rotating = testKeys(2, [1]);
    expect(decrypt(rotating, "i", old)).toEqual(plain);
    const fresh = rewrap(rotating, "i", old);
    expect(fresh).toMatchObject({ masterKeyId: testKeys(2).current.id, ciphertext: old.ciphertext });
    expect(decrypt(testKeys(2), "i", fresh)).toEqual(plain);
    const wrong = expect.objectContaining({ code: "master-key-wrong" });
    expect(() => decrypt(testKeys(2), "i", old)).toThrow(wrong);
    expect(() => decrypt(testKeys(1), "i", fresh)).toThrow(wrong);
    expect(() => rewrap(rotating, "j", old)).toThrow(unreadable);
  });

  it("say nothing of the secret or of keys in their errors", () => {
    const envelope = encrypt(ring, "i", plain);
    for (const attempt of [() => decrypt(ring, "j", envelope), () => decrypt(testKeys(3), "i", envelope)]) {
      const error = catchError(attempt);
      expect(`${error.message} ${error.stack}`).not.toMatch(/the secret|01{10}/);
    }
  });
});

function catchError(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("it did not fail");
}
