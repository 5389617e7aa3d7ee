import { isDroverError } from "@drover/contract";
import { describe, expect, it } from "vitest";
import { assertStrongPassword } from "./password-rules.ts";

function weaknessOf(password: string, userName = "zoe.miller"): string | null {
  try {
    assertStrongPassword(password, userName);
    return null;
  } catch (error) {
    if (!isDroverError(error, "password-weak")) throw error;
    return error.message;
  }
}

describe("passwords", () => {
  it.each([
    ["", "fewer than 12"],
    ["elevenchars", "fewer than 12"],
    ["🔑🔑🔑🔑🔑🔑", "fewer than 12"],
    ["aaaaaaaaaaaaaaaa", "repeats"],
    ["abababababababab", "repeats"],
    ["123456789012", "row"],
    ["qwertyuiopasdf", "row"],
    ["password1234", "tried first"],
    ["P@ssw0rd2026!!", "tried first"],
    ["PasswordPassword", "tried first"],
    ["administrator1", "tried first"],
    ["!!changeme!!99", "tried first"],
    ["zoe.miller", "fewer than 12"],
    ["Zoe.Miller2026", "user's name"],
    ["zoe.millerzoe.miller", "user's name"],
  ])("refuses %j", (password, why) => {
    expect(weaknessOf(password)).toContain(why);
  });

  it.each(["correct horse battery", "tr0ub4dor&3-river", "ягода смородина", "zoe.miller likes rain", "9f2c7be1a05d"])(
    "takes %j",
    (password) => {
      expect(weaknessOf(password)).toBeNull();
    },
  );

  it("does not tell the password to anybody", () => {
    expect(weaknessOf("Password1234")).not.toContain("1234");
  });
});
