import { DroverError } from "@drover/contract";
import { describe, expect, it } from "vitest";
import { CommandError, type CommandFailureReason } from "../lib/command-error.ts";
import { FileError } from "../lib/file-error.ts";
import { SecretMask } from "../lib/mask-secrets.ts";
import { UnreachableError, type UnreachableReason } from "../lib/unreachable-error.ts";
import { describeError } from "./describe-error.ts";

const judge = (thrown: unknown) => {
  const { error, final } = describeError(thrown, "a", new SecretMask());
  return [error.code, final];
};
const away = (reason: UnreachableReason) => new UnreachableError({ reason, host: "node-1", detail: "So." });
const command = (reason: CommandFailureReason, cause?: unknown) =>
  new CommandError({ reason, host: "node-1", argv: ["true"], cause });

describe("what a step threw", () => {
  it.each([
    ["an error of the catalogue that may be tried again", new DroverError("port-taken", "x"), ["port-taken", false]],
    ["an error of the catalogue that may not", new DroverError("name-taken", "x"), ["name-taken", true]],
    ["a program that failed", command("failed"), ["step-failed", false]],
    ["a program that is not there", command("not-found"), ["step-failed", true]],
    ["a machine that does not answer", command("unreachable", away("timed-out")), ["machine-unreachable", false]],
    ["a look that nobody answered", command("timed-out", away("timed-out")), ["machine-unreachable", false]],
    ["a program that takes too long", command("timed-out", undefined), ["step-failed", false]],
    ["a connection that broke", command("outcome-unknown", away("lost")), ["machine-unreachable", false]],
    ["a file on its way", new FileError("unreachable", "n", "/x", "x", away("lost")), ["machine-unreachable", false]],
    ["a host key that changed", command("unreachable", away("host-key-changed")), ["machine-denied", true]],
    ["a key that is not taken", away("auth-refused"), ["machine-denied", true]],
    ["a wrong sudo password", command("denied"), ["machine-denied", true]],
    ["one for a file", new FileError("denied", "n", "/x", "x", command("denied")), ["machine-denied", true]],
    ["a file that may not be written", new FileError("denied", "n", "/x", "x"), ["step-failed", false]],
    ["anything else", new Error("x"), ["step-failed", false]],
  ])("is %s", (_what, thrown, verdict) => {
    expect(judge(thrown)).toEqual(verdict);
  });
});
