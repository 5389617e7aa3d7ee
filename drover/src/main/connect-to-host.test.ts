import { expect, it } from "vitest";
import { makeConnect } from "./connect-to-host.ts";

const environment = { HOME: "/home/ada", DROVER_STORE: "postgres://user:secret@db/drover", LD_PRELOAD: "/evil.so" };

it("runs programs on this machine, which see nothing of the environment but the few that they may", async () => {
  const connector = await makeConnect({ environment, stepGraceMs: 1_000 })("local");
  const { exitCode, stdout } = await connector.run({ argv: ["env"] });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("HOME=/home/ada\n");
  expect(stdout).not.toMatch(/DROVER|secret|LD_PRELOAD/);
  await connector.close();
});

it("gives all steps the same connection, and none to another machine", async () => {
  const connect = makeConnect({ environment, stepGraceMs: 1_000 });
  expect(await connect("local")).toBe(await connect("local"));
  await expect(connect("node-1")).rejects.toMatchObject({
    code: "step-unknown",
    message: expect.stringMatching("node-1"),
  });
});
