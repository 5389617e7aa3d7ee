import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MASK, MaskStream, SecretMask } from "./mask-secrets.ts";

function maskOf(...secrets: string[]): SecretMask {
  const mask = new SecretMask();
  for (const secret of secrets) mask.add(secret);
  return mask;
}

describe("SecretMask.mask", () => {
  it("hides every occurrence and leaves the rest", () => {
    expect(maskOf("hunter2").mask("hunter2 and hunter2!")).toBe("*** and ***!");
    expect(maskOf().mask("hunter2")).toBe("hunter2");
  });

  it("hides secrets that overlap or contain each other as a whole", () => {
    expect(maskOf("abcd", "cdef").mask("-abcdef-")).toBe("-***-");
    expect(maskOf("inner", "an inner one").mask("(an inner one)")).toBe("(***)");
    expect(maskOf("inner", "an inner one").mask("(an inner two)")).toBe("(an *** two)");
    expect(maskOf("aba").mask("xababax")).toBe("x***x");
  });

  it("hides a secret over several lines, also when it is broken elsewhere", () => {
    const mask = maskOf("first line\nsecond line");
    expect(mask.mask("a: first line\nsecond line!")).toBe("a: ***\n***!");
    expect(mask.mask("first \r\nlinesecond line")).toBe("***\n***");
  });

  it("hides encoded forms", () => {
    const mask = maskOf("correct horse");
    expect(mask.mask(`Basic ${Buffer.from("admin:correct horse").toString("base64")}`)).toMatch(
      /^Basic YWRtaW4\S?\*\*\*/,
    );
    expect(mask.mask("?p=correct%20horse&q=correct+horse")).toBe("?p=***&q=***");
  });

  it("hides secrets in all strings of a JSON value, keys too", () => {
    expect(maskOf("hunter2").maskJson({ hunter2: ["a hunter2", 1, null, { deep: "hunter2" }] })).toEqual({
      "***": ["a ***", 1, null, { deep: "***" }],
    });
  });

  it("shows the beginning of a secret at the end of a complete text: it is none", () => {
    expect(maskOf("hunter2").mask("a hunter")).toBe("a hunter");
  });
});

describe("MaskStream", () => {
  it("hides a secret that comes in pieces in each of them", () => {
    const stream = new MaskStream(maskOf("hunter2"));
    const pieces = ["say hun", "te", "r2 now"].map((text) => stream.push(text));
    expect(pieces.map((piece) => piece.reveal())).toEqual(["say ***", "***", "*** now"]);
  });

  it("hides an end that could be the greater part of a secret, and what follows of it", () => {
    const stream = new MaskStream(maskOf("hunter2"));
    expect(stream.push("say hunte").reveal()).toBe("say ***");
    expect(stream.push("r2 now").reveal()).toBe("*** now");
    expect(stream.push("say hunte").reveal()).toBe("say ***");
    expect(stream.push("d down").reveal()).toBe("d down");
  });

  it("shows an end that gives nothing away, yet hides the rest", () => {
    const stream = new MaskStream(maskOf("hunter2"));
    expect(stream.push("the hun").reveal()).toBe("the hun");
    expect(stream.push("ter2!").reveal()).toBe("***!");
  });

  it("shows what looked like a beginning once it has ended", () => {
    const stream = new MaskStream(maskOf("hunter2"));
    const piece = stream.push("a hunter");
    stream.end();
    expect(piece.reveal()).toBe("a hunter");
  });

  it("goes on with what was under way when further secrets are added", () => {
    const mask = maskOf("hunter2");
    const stream = new MaskStream(mask);
    const first = stream.push("hunt");
    mask.add("another");
    const second = stream.push("er2 another");
    expect([first.reveal(), second.reveal()]).toEqual(["***", "*** ***"]);
  });

  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), minLength: 3, maxLength: 9 });
  const scripts = fc.record({
    secrets: fc.array(letters, { minLength: 1, maxLength: 4 }),
    text: fc.array(letters, { maxLength: 20 }).map((parts) => parts.join("")),
    cuts: fc.array(fc.nat(6), { minLength: 1 }),
  });

  it("never shows a secret, however the text is cut and whenever the pieces are read", () => {
    fc.assert(
      fc.property(scripts, fc.array(fc.boolean(), { minLength: 1 }), ({ secrets, text, cuts }, readAtOnce) => {
        const stream = new MaskStream(maskOf(...secrets));
        const shown = cut(text, cuts)
          .map((part, index) => {
            const piece = stream.push(part);
            const early = readAtOnce[index % readAtOnce.length] ? piece.reveal() : null;
            return () => early ?? piece.reveal();
          })
          .map((read) => read())
          .join("");
        for (const secret of secrets) expect(shown.includes(secret)).toBe(false);
      }),
    );
  });

  it("hides exactly the secrets when pieces are read at the end", () => {
    fc.assert(
      fc.property(scripts, ({ secrets, text, cuts }) => {
        const stream = new MaskStream(maskOf(...secrets));
        const parts = cut(text, cuts);
        const pieces = parts.map((part) => stream.push(part));
        stream.end();
        const hidden = hiddenUnits(text, secrets);
        let start = 0;
        for (const [index, piece] of pieces.entries()) {
          const part = parts[index] ?? "";
          const expected = Array.from(part)
            .map((unit, at) => (hidden.has(start + at) ? "\0" : unit))
            .join("");
          expect(piece.reveal()).toBe(expected.replace(/\0+/g, MASK));
          start += part.length;
        }
      }),
    );
  });
});

function cut(text: string, cuts: readonly number[]): readonly string[] {
  const parts: string[] = [];
  for (let at = 0, index = 0; at < text.length; index++) {
    const length = cuts[index % cuts.length] ?? 0;
    // A cut of nothing is an empty line; the one after it goes on.
    parts.push(text.slice(at, at + length));
    at += length;
    if (length === 0 && cuts.every((each) => each === 0)) return [...parts, text.slice(at)];
  }
  return parts;
}

function hiddenUnits(text: string, secrets: readonly string[]): ReadonlySet<number> {
  const hidden = new Set<number>();
  for (const secret of secrets) {
    for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
      for (let unit = at; unit < at + secret.length; unit++) hidden.add(unit);
    }
  }
  return hidden;
}
