import type { RemoteMachine } from "../../src/ports/machines.ts";

const WORDS: ReadonlySet<string> = new Set(["run", "put", "get", "sendFile", "fetchFile"]);

/** Machines with which a process can talk until it is killed. */
export class MortalMachines {
  /** After so many more words with machines the process is gone. */
  wordsLeft = Number.POSITIVE_INFINITY;

  wrap(machine: RemoteMachine): RemoteMachine {
    return new Proxy(machine, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown => {
          if (WORDS.has(String(name))) {
            if (this.wordsLeft === 0) throw new Error("killed");
            this.wordsLeft -= 1;
          }
          return Reflect.apply(value, target, args);
        };
      },
    });
  }
}
