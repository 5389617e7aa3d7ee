import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { inRoot } from "./paths.mjs";
import { runCommand } from "./run-command.mjs";

test("answers exit code and output, and takes arguments as they are", async () => {
  const script = "console.log(process.argv[1]); console.error('e'); process.exitCode = 3";
  const { code, output } = await runCommand(process.execPath, ["-e", script, "$(id) `id` ; *"], { capture: true });
  expect(code).toBe(3);
  expect(output).toContain("$(id) `id` ; *\n");
  expect(output).toContain("e\n");
});

test("answers 128 + the number of the signal that ended a program", async () => {
  const { code } = await runCommand(process.execPath, ["-e", "process.kill(process.pid, 'SIGKILL')"], {
    capture: true,
  });
  expect(code).toBe(137);
});

test("refuses a program that does not exist", async () => {
  await expect(runCommand("no-such-program", [])).rejects.toThrow("ENOENT");
});

test("asks the program to end when it is asked itself", async () => {
  const module = pathToFileURL(inRoot("scripts/lib/run-command.mjs")).href;
  const inner =
    "process.on('SIGTERM', () => { console.log('asked'); process.exit(7); }); setInterval(() => {}, 99); console.log('up')";
  const outer = `const { runCommand } = await import(process.argv[1]);
    const { code } = await runCommand(process.execPath, ["-e", process.argv[2]]);
    process.exit(code);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", outer, module, inner], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let seen = "";
  child.stdout.on("data", (chunk) => {
    seen += chunk;
    if (seen === "up\n") child.kill("SIGTERM");
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect([code, seen]).toEqual([7, "up\nasked\n"]);
});
