import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Subject } from "./connector-subject.conformance.ts";
import { type ListedCommand, runAll } from "./run-all.ts";

const script = (text: string): ListedCommand => ({ argv: ["sh", "-c", text] });

export function describeLists(get: () => Subject): void {
  const run = (commands: readonly ListedCommand[], options = {}) => runAll(get().connector, commands, options);

  describe("a list of commands", () => {
    it("answers with the end and the output of each", async () => {
      const results = await run([
        script("echo one; echo wrong >&2"),
        script("printf 'no end'; exit 3"),
        script(":"),
        script("printf 'a\\n\\nb\\n'; kill -9 $$"),
      ]);
      const dropped = { stdout: 0, stderr: 0 };
      expect(results).toEqual([
        { exitCode: 0, stdout: "one\n", stderr: "wrong\n", dropped },
        { exitCode: 3, stdout: "no end", stderr: "", dropped },
        { exitCode: 0, stdout: "", stderr: "", dropped },
        { exitCode: 137, stdout: "a\n\nb\n", stderr: expect.any(String), dropped },
      ]);
      expect(await run([])).toEqual([]);
    });

    it("goes on after a command that cannot be started", async () => {
      const results = await run([
        { argv: ["/no/such/program"] },
        { argv: ["true"], directory: "/no/such/folder" },
        script("echo here"),
      ]);
      expect(results.map((result) => result?.exitCode)).toEqual([127, 126, 0]);
      expect(results[2]?.stdout).toBe("here\n");
    });

    it("runs a command only after the end that it wants", async () => {
      const check = (code: number): ListedCommand[] => [
        script(`exit ${code}`),
        { ...script("echo done"), after: "failure" },
        { ...script("echo verified"), after: "success" },
      ];
      const stdouts = async (code: number) => (await run(check(code))).map((result) => result?.stdout ?? null);
      expect(await stdouts(1)).toEqual(["", "done\n", "verified\n"]);
      expect(await stdouts(0)).toEqual(["", null, "verified\n"]);
    });

    it("gives each its arguments, variables and folder, literally", async () => {
      const texts = fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.replaceAll("\0", ""));
      await fc.assert(
        fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 20 }), async (words) => {
          const commands = words.map((word): ListedCommand => ({ argv: ["printf", "%s", word] }));
          expect((await run(commands)).map((result) => result?.stdout)).toEqual(words);
        }),
        { numRuns: 20 },
      );
      const { folder } = get().harness;
      const [result] = await run([{ ...script('echo "$A"; pwd -P'), environment: { A: "x '$y'" }, directory: folder }]);
      expect(result?.stdout).toBe(`x '$y'\n${folder}\n`);
    });

    it("keeps each from reading what comes behind it", async () => {
      const results = await run([{ argv: ["cat"] }, script('read -r line; echo "<$line>"'), script("echo last")]);
      expect(results.map((result) => result?.stdout)).toEqual(["", "<>\n", "last\n"]);
    });

    it("keeps the end of a long output", async () => {
      const [result] = await run([{ argv: ["seq", "1", "100000"] }], { keepBytes: 10 });
      expect(result).toMatchObject({ stdout: "\n99\n100000\n".slice(-10), dropped: { stdout: 588_895 - 10 } });
    });

    it("is ended as a whole at its deadline, and by a signal", async () => {
      const path = `${get().harness.folder}/after-the-deadline`;
      const commands = [{ argv: ["sleep", "60"] } as const, { argv: ["touch", path] } as const];
      await expect(run(commands, { deadlineMs: 1_000, graceMs: 500 })).rejects.toMatchObject({ reason: "timed-out" });
      const signal = AbortSignal.timeout(1_000);
      await expect(run(commands, { signal, graceMs: 500 })).rejects.toMatchObject({ reason: "aborted" });
      expect((await run([{ argv: ["test", "-e", path] }]))[0]?.exitCode).toBe(1);
    });

    it("may be one of many at once", async () => {
      const lists = Array.from({ length: 30 }, (_, at) => run([script(`echo ${at}`), script(`exit ${at}`)]));
      const seen = (await Promise.all(lists)).map(([first, second]) => [first?.stdout, second?.exitCode]);
      expect(seen).toEqual(seen.map((_, at) => [`${at}\n`, at]));
    });
  });
}
