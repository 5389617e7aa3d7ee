import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type CommandError, isCommandError } from "../lib/command-error.ts";
import { runOrThrow } from "./connector.ts";
import type { Subject } from "./connector-subject.conformance.ts";

const METACHARACTERS = " \t\n\r'\"\\$`!*?[]{}()<>|&;#~=%^-/";
const texts = fc
  .oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.string({ unit: fc.constantFrom(...METACHARACTERS.split(""), "a", "ä", "🐏"), maxLength: 30 }),
    fc.constantFrom("", "-", "--", "-c", "--help", "$(id)", "`id`", "; id", "\n", "$HOME", "~", "*"),
  )
  .map((text) => text.replaceAll("\0", ""));

export function describeRunning(get: () => Subject): void {
  const run: Subject["connector"]["run"] = (command, options) => get().connector.run(command, options);

  describe("the end of a command", () => {
    it.each([0, 1, 2, 126, 127, 255])("answers with exit code %i", async (code) => {
      expect(await run({ argv: ["sh", "-c", 'exit "$1"', "sh", String(code)] })).toMatchObject({
        exitCode: code,
        signal: null,
      });
    });

    it.each(["SIGKILL", "SIGTERM", "SIGUSR1"])("names %s when that ended it", async (signal) => {
      const argv = ["sh", "-c", 'kill -s "$1" $$', "sh", signal.slice(3)] as const;
      expect(await run({ argv })).toMatchObject({ exitCode: null, signal });
    });

    it("is an error for whoever wants it to be one", async () => {
      const { connector } = get();
      const argv = ["sh", "-c", "echo out; echo 'the token is abc123' >&2; exit 4", "abc123"] as const;
      const mask = (text: string) => text.replaceAll("abc123", "***");
      const error = await runOrThrow(connector, { argv }, { mask }).catch((caught) => caught as CommandError);
      expect(error).toMatchObject({ reason: "failed", host: connector.host, exitCode: 4, stdout: "out" });
      expect(JSON.stringify(error)).not.toContain("abc123");
      expect(await runOrThrow(connector, { argv: ["true"] })).toMatchObject({ exitCode: 0 });
    });
  });

  describe("a command that cannot be started", () => {
    it.each(["no-such-program-here", "/no/such/program"])("is not found: %s", async (program) => {
      const error = await run({ argv: [program, "x"], stdin: "unread" }).catch((caught) => caught);
      expect(isCommandError(error, "not-found")).toBe(true);
      expect(error.message).toContain(program);
    });

    it("is not called missing when it is its folder that is missing", async () => {
      const directory = `${get().harness.folder}/no-such-folder`;
      const error = await run({ argv: ["true"], directory }).catch((caught) => caught);
      expect(isCommandError(error, "failed")).toBe(true);
      expect(error.message).toContain("no-such-folder");
    });

    it("is refused when it is no program but a text", async () => {
      const path = `${get().harness.folder}/not-executable`;
      await get().connector.put(path, Buffer.from("hello"), { mode: 0o644 });
      const error = await run({ argv: [path] }).catch((caught) => caught);
      expect(isCommandError(error, "failed")).toBe(true);
    });

    it.each([
      ["an argument with NUL", { argv: ["printf", "a\0b"] as const }],
      ["a variable with NUL", { argv: ["true"] as const, environment: { A: "a\0b" } }],
      ["a variable without a name", { argv: ["true"] as const, environment: { "": "a" } }],
      ["a name that holds its value", { argv: ["true"] as const, environment: { "PATH=/tmp:": "a" } }],
      ["no program", { argv: [""] as const }],
    ])("is refused with %s", async (_, command) => {
      await expect(run(command)).rejects.toSatisfy((error) => isCommandError(error));
    });
  });

  describe("input", () => {
    it("is what was given, byte for byte", async () => {
      const { stdout } = await run({ argv: ["od", "-An", "-v", "-tx1"], stdin: Uint8Array.of(0, 255, 10, 13, 128) });
      expect(stdout.trim()).toBe("00 ff 0a 0d 80");
      expect((await run({ argv: ["cat"], stdin: "Grüße 🐏" })).stdout).toBe("Grüße 🐏");
    });

    it("is empty when none was given", async () => {
      expect(await run({ argv: ["cat"] })).toMatchObject({ exitCode: 0, stdout: "" });
    });

    it("may be large, and may be left unread", async () => {
      const stdin = Buffer.alloc(8 * 1024 * 1024, "x");
      expect((await run({ argv: ["wc", "-c"], stdin })).stdout.trim()).toBe(String(stdin.length));
      expect(await run({ argv: ["true"], stdin })).toMatchObject({ exitCode: 0 });
      expect(await run({ argv: ["head", "-c", "3"], stdin })).toMatchObject({ exitCode: 0, stdout: "xxx" });
    });
  });

  describe("the environment", () => {
    const readVariables = async (environment: Record<string, string> = {}) => {
      const { stdout } = await run({ argv: ["env", "-0"], environment });
      const lines = stdout.split("\0").slice(0, -1);
      return new Map(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
    };

    it("holds nothing of the caller's but what is allowed", async () => {
      const planted = ["LD_PRELOAD", "NODE_OPTIONS", "KUBECONFIG", "SSH_AUTH_SOCK", "DOCKER_HOST", "BASH_ENV"];
      for (const name of planted) vi.stubEnv(name, "/tmp/planted");
      vi.stubEnv("PATH", "/tmp/planted:/usr/bin:/bin");
      onTestFinished(() => void vi.unstubAllEnvs());
      const variables = await readVariables();
      const allowed = get().traits.environmentNames;
      expect([...variables.keys()].filter((name) => !allowed.includes(name))).toEqual([]);
      expect([...variables.values()].join()).not.toContain("planted");
    });

    it("is not added to by a polluted prototype", async () => {
      Object.defineProperty(Object.prototype, "POLLUTED", {
        value: "yes",
        enumerable: true,
        configurable: true,
        writable: true,
      });
      try {
        expect([...(await readVariables()).keys()]).not.toContain("POLLUTED");
      } finally {
        delete (Object.prototype as { POLLUTED?: string }).POLLUTED;
      }
    });

    it("speaks UTF-8 and finds programs", async () => {
      const { stdout } = await run({ argv: ["sh", "-c", 'echo "$LANG"; command -v cat'] });
      expect(stdout).toMatch(/^C\.UTF-8\n\/.*cat\n$/);
    });

    it("has what the command was given, literally", async () => {
      const environment = {
        KUBECONFIG: "/a b/$HOME",
        ODD: "line\nbreak 'quote' \"$(id)\" ä",
        EMPTY: "",
        LANG: "de_DE.UTF-8",
      };
      expect(Object.fromEntries(await readVariables(environment))).toMatchObject(environment);
    });
  });

  describe("arguments", () => {
    it("arrive literally, whatever they hold", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 200 }), async (words) => {
          const { stdout } = await run({ argv: ["printf", "%s\\0", ...words] }, { keepBytes: 1024 * 1024 });
          expect(stdout.split("\0").slice(0, -1)).toEqual(words);
        }),
        { numRuns: 100 },
      );
    });

    it("may begin with a dash", async () => {
      expect((await run({ argv: ["echo", "-", "--", "-x", "--foo=a b"] })).stdout).toBe("- -- -x --foo=a b\n");
      expect(await run({ argv: ["cat", "-no-such-option"] })).toMatchObject({ exitCode: 1 });
    });

    it("may be many and long", async () => {
      const words = Array.from({ length: 100 }, (_, at) => String(at).repeat(100));
      const { stdout } = await run({ argv: ["printf", "%s\\n", ...words] });
      expect(stdout).toBe(`${words.join("\n")}\n`);
    });
  });

  it("runs where it is told to, literally", async () => {
    const directory = `${get().harness.folder}/a $HOME 'b' -ä`;
    await run({ argv: ["mkdir", "--", directory] });
    expect((await run({ argv: ["pwd", "-P"], directory })).stdout.trimEnd().endsWith("/a $HOME 'b' -ä")).toBe(true);
  });

  it("runs fifty commands at once, each with its own answer", async () => {
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on("warning", warn);
    // Each waits until its neighbour has begun, which one after the other would never come to an end.
    const script = 'touch "$2/begun-$1"; while [ ! -e "$2/begun-$3" ]; do sleep 0.05; done; echo "$1"; exit "$1"';
    const { folder } = get().harness;
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        run({ argv: ["sh", "-c", script, "sh", String(at), folder, String(at ^ 1)] }, { signal }),
      ),
    );
    process.off("warning", warn);
    expect(results.map((result) => [result.exitCode, result.stdout])).toEqual(
      Array.from({ length: 50 }, (_, at) => [at, `${at}\n`]),
    );
    expect(warnings).toEqual([]);
  });
}
