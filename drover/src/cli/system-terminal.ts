import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { readClientEnvironment } from "../config/client-environment.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/** The terminal, or the pipes, that the process was started with. */
export function openSystemTerminal(): Terminal {
  const { noColour, dumbTerminal, editor } = readClientEnvironment();
  const { stdin, stdout, stderr } = process;
  // `drover get clusters | head` is no error: whoever reads has had enough.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    outIsScreen: stdout.isTTY && !dumbTerminal,
    errIsScreen: stderr.isTTY && !dumbTerminal,
    colours: stdout.isTTY && !noColour && !dumbTerminal,
    columns: () => stdout.columns ?? stderr.columns ?? 80,
    rows: () => stdout.rows ?? stderr.rows ?? 24,
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString("utf8");
    },
    ask: (question, { hidden = false } = {}) => (stdin.isTTY ? askPerson(question, hidden) : Promise.resolve(null)),
    onInterrupt: (callback) => {
      process.once("SIGINT", callback);
      return () => void process.removeListener("SIGINT", callback);
    },
    edit: async (file) => {
      const { runInTerminal } = await import("../lib/run-in-terminal.ts");
      const code = await runInTerminal([...editor, file]);
      if (code !== 0) throw new UsageError(`The editor ${editor[0]} ended with ${code}; nothing was changed.`);
    },
  };
}

function askPerson(question: string, hidden: boolean): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: hidden });
  return new Promise((resolve, reject) => {
    let answered = false;
    lines.once("SIGINT", () => {
      lines.close();
      process.kill(process.pid, "SIGINT");
    });
    lines.once("line", (line) => {
      answered = true;
      lines.close();
      if (hidden) process.stderr.write("\n");
      resolve(line);
    });
    lines.once("close", () => {
      if (!answered) reject(new UsageError("The question was not answered; nothing was done."));
    });
  });
}
