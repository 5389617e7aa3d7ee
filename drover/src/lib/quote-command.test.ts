import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoteArgument, quoteCommand, showCommand } from "./quote-command.ts";

const METACHARACTERS = " \t\n\r'\"\\$`!*?[]{}()<>|&;#~=%^-/";
const words = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...METACHARACTERS.split(""), "a", "ä", "🐏"), maxLength: 20 }),
);
const argvs = fc.array(
  words.map((word) => word.replaceAll("\0", "")),
  { minLength: 1, maxLength: 300 },
);

/** What a shell makes of the words of a text. */
function readBack(shell: string, text: string): string[] {
  const script = "printf '%s\\0' ".concat(text);
  return execFileSync(shell, ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

describe("quoting", () => {
  it("leaves plain words alone", () => {
    expect(quoteCommand(["kubectl", "-n", "kube-system", "--context=a", ""])).toBe(
      "kubectl -n kube-system '--context=a' ''",
    );
  });

  it("keeps a program from being read as a keyword or an assignment", () => {
    expect(quoteCommand(["if", "if"])).toBe("'if' if");
    expect(quoteArgument("A=b")).toBe("'A=b'");
  });

  it("refuses what no argument can hold", () => {
    expect(() => quoteArgument("a\0b")).toThrow(TypeError);
  });

  it("survives a shell, whatever the text", () => {
    fc.assert(
      fc.property(argvs, (argv) => {
        expect(readBack("sh", argv.map(quoteArgument).join(" "))).toEqual(argv);
      }),
      { numRuns: 150 },
    );
  });
});

describe("showing", () => {
  it("stays on one line and names what cannot be seen", () => {
    expect(showCommand(["printf", "a\n\u001b[31mb", "it's"])).toBe("printf $'a\\n\\u001b[31mb' 'it'\\''s'");
  });

  it("can be pasted into bash", () => {
    const texts = ["it's\n\\n $HOME `id`", "\t'\\''", "plain", "a b", "\u0001\u007f\u202e\u{e0041}", "ä\n🐏"];
    expect(readBack("bash", showCommand(texts))).toEqual(texts);
  });
});
