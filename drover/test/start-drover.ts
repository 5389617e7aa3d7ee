import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const CLI = fileURLToPath(new URL("../src/main/cli.ts", import.meta.url));
const SCRIPT = "const { runMain } = await import(process.argv[1]); await runMain(process.argv.slice(2));";

/** Starts the program as a process of its own, out of the sources; it ends with the test at the latest. */
export function startDrover(...args: string[]) {
  const flags = ["--conditions=drover-source", "--import", "tsx", "--input-type=module", "-e", SCRIPT, "--", CLI];
  const child = spawn(process.execPath, [...flags, ...args], { stdio: ["ignore", "pipe", "pipe"] });
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
