import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { CommandError, type CommandFailure, isCommandError } from "./command-error.ts";

const SECRET = "hunter2-hunter2";
const mask = (text: string) => text.replaceAll(SECRET, "***");

const fail = (failure: Partial<CommandFailure> = {}) =>
  new CommandError({ reason: "failed", host: "local", argv: ["kind", "create", "cluster"], ...failure });

describe("the message says what ended how", () => {
  it.each([
    [{ exitCode: 1, stderr: "warning\nERROR: no disk\n" }, "kind on local ended with exit code 1: ERROR: no disk"],
    [{ exitCode: 2 }, "kind on local ended with exit code 2."],
    [{ exitCode: 3, stdout: "only here\n\n" }, "kind on local ended with exit code 3: only here"],
    [{ signal: "SIGSEGV" }, "kind on local was ended by SIGSEGV."],
    [{ reason: "aborted" }, "kind on local was ended on request."],
    [{ reason: "timed-out", note: "It ran 5 s." }, "kind on local was ended because it took too long. It ran 5 s."],
    [{ reason: "not-found" }, "kind on local was not found. Install it there, or add its folder to the search path."],
    [{ note: "Too many open files." }, "kind on local could not be run. Too many open files."],
  ] as [Partial<CommandFailure>, string][])("%j", (failure, message) => {
    expect(fail(failure).message).toBe(message);
  });
});

it("explains itself with the command to paste and the end of the output", () => {
  const stderr = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");
  const text = fail({ argv: ["kubectl", "get", "a b"], exitCode: 1, stderr }).explain();
  expect(text).toContain("  command: kubectl get 'a b'\n");
  expect(text).toContain("end of its error output:\n    line 10\n");
  expect(text.endsWith("    line 29")).toBe(true);
  expect(text).not.toContain("line 9\n");
});

it("shows the ordinary output when nothing was said on the other", () => {
  expect(fail({ exitCode: 1, stdout: "hello", stderr: "\n" }).explain()).toContain("end of its output:\n    hello");
});

describe("secrets", () => {
  const error = fail({
    argv: ["curl", `--token=${SECRET}`, `it's ${SECRET}`],
    exitCode: 1,
    stdout: `a ${SECRET}`,
    stderr: `b ${SECRET}`,
    mask,
  });

  it("are in none of its forms", () => {
    const forms = [error.message, error.explain(), JSON.stringify(error), inspect(error), String(error.stack)];
    expect(forms.filter((form) => form.includes("hunter2"))).toEqual([]);
    expect(error.command).toBe("curl '--token=***' 'it'\\''s ***'");
  });

  it("do not show their second half where the beginning of the output is missing", () => {
    const cut = { stdout: true, stderr: true };
    const stderr = `${SECRET.slice(5)} and so on\nwhole line`;
    expect(fail({ exitCode: 1, stderr, cut, mask }).stderr).toBe("whole line");
    expect(fail({ exitCode: 1, stderr: SECRET.slice(5), cut, mask }).stderr).toBe("");
    expect(fail({ exitCode: 1, stderr: "x".repeat(6000), cut, mask }).stderr).toHaveLength(6000 - 4096);
  });
});

it("cannot disturb a terminal", () => {
  const text = fail({ argv: ["\u001b[2Jx"], exitCode: 1, stderr: "\u001b[31mred\u0007\r\nnext" }).explain();
  expect(text.split("").filter((character) => character < " " && character !== "\n")).toEqual([]);
  expect(text).toContain("    red\n    next");
});

it("stays small whatever was written", () => {
  const error = fail({ exitCode: 1, stderr: `${"x".repeat(100)}\n`.repeat(10_000), stdout: "y".repeat(1e6) });
  expect(JSON.stringify(error).length).toBeLessThan(20_000);
  expect(error.stderr.startsWith(`${"x".repeat(100)}\n`)).toBe(true);
  expect(error.message.length).toBeLessThan(300);
});

it("keeps its cause and tells its kind", () => {
  const cause = new Error("ENOENT");
  const error = fail({ reason: "not-found", cause });
  expect(error.cause).toBe(cause);
  expect(isCommandError(error)).toBe(true);
  expect(isCommandError(error, "not-found")).toBe(true);
  expect(isCommandError(error, "failed")).toBe(false);
  expect(isCommandError(cause)).toBe(false);
});

it("becomes plain data", () => {
  expect(JSON.parse(JSON.stringify(fail({ signal: "SIGKILL", stderr: "bye" })))).toEqual({
    name: "CommandError",
    reason: "failed",
    message: "kind on local was ended by SIGKILL: bye",
    host: "local",
    command: "kind create cluster",
    exitCode: null,
    signal: "SIGKILL",
    stdout: "",
    stderr: "bye",
  });
});
