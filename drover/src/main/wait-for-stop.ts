const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Waits until the process is asked to end. A second request while it is ending ends it at once: whoever asks twice
 * means it. Every write is durable before it is acknowledged, so that is safe.
 */
export function waitForStop(events: NodeJS.EventEmitter = process, exit = (code: number) => process.exit(code)) {
  return new Promise<NodeJS.Signals>((resolve) => {
    let asked = false;
    for (const signal of SIGNALS) {
      events.on(signal, () => {
        if (asked) exit(1);
        asked = true;
        resolve(signal);
      });
    }
  });
}
