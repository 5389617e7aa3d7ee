import { writeFileSync } from "node:fs";
import type { Terminal } from "../src/cli/terminal.ts";

/** A terminal that remembers what was written, answers as it is told, and can be interrupted. */
export function makeTestTerminal({
  input = "",
  answers = null,
  screen = false,
  edits = [],
}: {
  input?: string;
  /** What a person types, one after the other; null when nobody is there. */
  answers?: string[] | null;
  screen?: boolean;
  /** What the editor leaves in the file, one after the other. */
  edits?: ((before: string) => string)[];
} = {}) {
  const seen = { out: "", err: "", asked: [] as string[] };
  const callbacks = new Set<() => void>();
  const terminal: Terminal = {
    out: (text) => {
      seen.out += text;
    },
    err: (text) => {
      seen.err += text;
    },
    ...{ outIsScreen: screen, errIsScreen: screen, colours: false },
    columns: () => 100,
    rows: () => 30,
    readInput: async () => input,
    ask: async (question) => {
      seen.asked.push(question);
      return answers?.shift() ?? null;
    },
    onInterrupt: (callback) => {
      callbacks.add(callback);
      return () => void callbacks.delete(callback);
    },
    edit: async (file) => {
      const { readFileSync } = await import("node:fs");
      const change = edits.shift();
      if (change !== undefined) writeFileSync(file, change(readFileSync(file, "utf8")));
    },
  };
  const interrupt = () => {
    for (const callback of callbacks) callback();
  };
  return { terminal, seen, interrupt };
}
