import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { addOptions, readOptions } from "../command-options.ts";

export function define(command: Command, { handlers, finish }: CommandContext): void {
  const add = (name: string, about: string) => addOptions(command.command(name).description(about), "store");
  addExamples(
    add("backup <file>", "write a consistent copy of the store, also while Drover runs"),
    "drover store backup drover-backup.db",
  ).action((file: string, _given, own: Command) => finish(handlers.backUp(readOptions(own), file)));
  addExamples(
    add("restore <file>", "fill a new, empty store from a backup"),
    "drover store restore drover-backup.db --data-dir ./restored --master-key-file ./master.key",
  ).action((file: string, _given, own: Command) => finish(handlers.restore(readOptions(own), file)));
  addExamples(
    add("check", "check that the store can be read and the audit log fits together; exit code 3 if not"),
    "drover store check",
  ).action((_given, own: Command) => finish(handlers.check(readOptions(own))));
  addExamples(
    add("rotate-key <new-key-file>", "put every secret under a new master key"),
    "drover store rotate-key ./new-master.key",
  ).action((file: string, _given, own: Command) => finish(handlers.rotateKey(readOptions(own), file)));
}
