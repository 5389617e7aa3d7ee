import { execFile, execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeTemporaryFolder } from "../lib/clean-up.mjs";

export function describeMake() {
  return execFileSync("make", ["--version"], { encoding: "utf8" }).split("\n", 1)[0];
}

/** make with the same graph. Nothing is remembered: each target is phony. A plain command is run without a shell. */
export function makeGraph({ graph, command, slots }) {
  return {
    name: `make -j${slots}`,
    prepare: async () => {
      const folder = makeTemporaryFolder("make");
      const ids = graph.map(({ id }) => id).join(" ");
      const rules = graph.map(({ id, needs }) => `${id}: ${needs.join(" ")}\n\t@${command.join(" ")}`);
      writeFileSync(join(folder, "Makefile"), [`.PHONY: all ${ids}`, `all: ${ids}`, ...rules, ""].join("\n"));
      return {
        measure: async () => {
          const begin = performance.now();
          await promisify(execFile)("make", ["-r", `-j${slots}`], { cwd: folder });
          return { seconds: (performance.now() - begin) / 1_000 };
        },
        dispose: async () => {},
      };
    },
  };
}
