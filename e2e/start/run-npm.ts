import { type ChildProcess, spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";

export interface Tools {
  /** The Node.js program that everything runs on. */
  readonly node: string;
  /** npm's own script. */
  readonly npm: string;
}

export interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** The exit code, or null when a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Runs npm in a folder as a person would: nothing of the npm that runs this test reaches it. */
export function runNpm({ node, npm }: Tools, folder: string, ...args: string[]): Run {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD|VITEST|NODE_ENV|DROVER_)/i.test(name),
  );
  const env = {
    ...Object.fromEntries(inherited),
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
    // npm would keep its compiled code in the temporary folder, for other runs that do not come.
    NODE_DISABLE_COMPILE_CACHE: "1",
  };
  const child = spawn(node, [npm, ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let seen = "";
  const keep = (chunk: Buffer) => {
    seen += chunk.toString("utf8");
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return { child, output: () => seen, ended: new Promise((resolve) => child.on("close", resolve)) };
}

/** Waits until the output shows something. */
export async function waitFor(run: Run, pattern: RegExp, patienceMs: number): Promise<RegExpExecArray> {
  let over = false;
  void run.ended.then(() => {
    over = true;
  });
  for (const until = Date.now() + patienceMs; Date.now() < until; ) {
    const found = pattern.exec(run.output());
    if (found) return found;
    if (over) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${over ? "It ended" : "Time ran out"} before ${pattern} was seen:\n${run.output()}`);
}
