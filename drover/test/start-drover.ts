import { spawn } from "node:child_process";
import { inject, onTestFinished } from "vitest";

/** Starts the program as a process of its own; it ends with the test at the latest. */
export function startDrover(...args: string[]) {
  const child = spawn(process.execPath, [inject("program"), ...args], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const seen = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    seen.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    seen.err += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      const found = /http:\/\/\S+\//.exec(seen.out);
      if (found) resolve(found[0].replace(/api\/.*/, ""));
    });
    void ended.then(() => reject(new Error(`ended before it was up: ${seen.err}`)));
  });
  url.catch(() => {});
  return { child, seen, ended, url };
}
