/** The other end of start-program.ts: what a program knows of the process that started it. */
export interface Parent<Input> {
  readonly input: Input;
  say(kind: string, body?: unknown): void;
  /** Resolves when the parent has said it. */
  told(message: string): Promise<void>;
  /** Ends the process well. */
  leave(): never;
}

export function connectToParent<Input>(): Parent<Input> {
  const heard = new Set<string>();
  const waiting = new Map<string, () => void>();
  process.on("message", (message: string) => {
    heard.add(message);
    waiting.get(message)?.();
  });
  // Nobody is left behind when a test run is cut short.
  process.on("disconnect", () => process.exit(1));
  return {
    input: JSON.parse(process.argv[2] ?? "{}") as Input,
    say: (kind, body = null) => void process.send?.({ kind, body }),
    told: (message) =>
      heard.has(message) ? Promise.resolve() : new Promise<void>((resolve) => void waiting.set(message, resolve)),
    leave: () => process.exit(0),
  };
}
