import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { quietSqliteWarning } from "./quiet-warnings.ts";

const warning = (name: string, message: string) => Object.assign(new Error(message), { name });

it("keeps the warning about SQLite from users, and no other", () => {
  const events = new EventEmitter();
  const shown: string[] = [];
  events.on("warning", ({ message }: Error) => shown.push(message));
  quietSqliteWarning(events);
  events.emit("warning", warning("ExperimentalWarning", "SQLite is an experimental feature"));
  events.emit("warning", warning("ExperimentalWarning", "The Fetch API is an experimental feature"));
  events.emit("warning", warning("DeprecationWarning", "SQLite of old"));
  expect(shown).toEqual(["The Fetch API is an experimental feature", "SQLite of old"]);
});
