import { spawn } from "node:child_process";

/** Runs a program that takes over the terminal, such as an editor, and answers its exit code. */
export function runInTerminal(argv: readonly string[]): Promise<number> {
  const [program = "", ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit" });
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
