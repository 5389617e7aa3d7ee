import { runProcess } from "../run-process.ts";
import { TurnTaking } from "../turn-taking.ts";
import { LineMessages } from "./line-messages.ts";
import type { CommandForHelper, FromHelper, StartFailure, ToHelper } from "./messages.ts";

/**
 * The program of a helper: it starts and watches commands for the process that started it, until that lets go of it or
 * is gone. What still runs then is ended: nobody is left who would know of it.
 */
const commands = new Map<number, AbortController>();
const running = new Set<Promise<void>>();
const turns = new TurnTaking();

process.on("disconnect", () => {
  for (const stop of commands.values()) stop.abort();
  void Promise.allSettled(running).then(() => process.exit());
});
// Whoever ends all processes of a service at once asks this one too; it is needed until the commands are ended.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
process.on("message", (message: ToHelper) => {
  if (message.kind === "stop") commands.get(message.id)?.abort();
  else start(message.id, message.command);
});
tell({ kind: "ready" });

function start(id: number, command: CommandForHelper): void {
  const ended = run(id, command).finally(() => running.delete(ended));
  running.add(ended);
}

async function run(id: number, { followed, ...command }: CommandForHelper): Promise<void> {
  const stop = new AbortController();
  commands.set(id, stop);
  await turns.take();
  try {
    const onStart = (pid: number) => tell({ kind: "started", id, pid });
    const lines = new LineMessages((batch) => tell({ kind: "lines", id, lines: batch }));
    const onLine = followed ? lines.add : undefined;
    const end = await runProcess({ ...command, signals: [stop.signal], onLine, onStart });
    lines.flush();
    const stopped = end.stopped && { ...end.stopped, cause: undefined };
    tell({ kind: "ended", id, end: { ...end, stopped } });
  } catch (error) {
    tell({ kind: "not started", id, error: describe(error) });
  } finally {
    commands.delete(id);
  }
}

function describe(error: unknown): StartFailure {
  const { message, code, errno } = error as NodeJS.ErrnoException;
  return { message, code, errno };
}

/** Whoever has just gone is not told; the disconnect that follows ends this process. */
function tell(message: FromHelper): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
