import { expect, it } from "vitest";
import { runInTerminal } from "./run-in-terminal.ts";

it("answers how the program ended", async () => {
  expect(await runInTerminal([process.execPath, "-e", "process.exit(3)"])).toBe(3);
  expect(await runInTerminal([process.execPath, "-e", ""])).toBe(0);
});

it("rejects when there is no such program", async () => {
  await expect(runInTerminal(["/no/such/editor"])).rejects.toThrow("ENOENT");
});
