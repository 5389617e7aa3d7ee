/**
 * Node.js 22 warns that `node:sqlite` is experimental each time it is loaded. Drover's tests run on it, so users have
 * nothing to do about that; every other warning is shown as Node.js shows it.
 */
export function quietSqliteWarning(events: NodeJS.EventEmitter = process): void {
  const shown = events.listeners("warning") as ((warning: Error) => void)[];
  events.removeAllListeners("warning");
  events.on("warning", (warning: Error) => {
    if (warning.name === "ExperimentalWarning" && warning.message.startsWith("SQLite")) return;
    for (const show of shown) show.call(events, warning);
  });
}
