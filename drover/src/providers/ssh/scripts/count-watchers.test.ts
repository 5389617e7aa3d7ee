import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { COUNT_WATCHERS } from "./count-watchers.ts";
import { argvOf } from "./script.ts";

const watch = (resource: string, scope: string, count: number, verb = "WATCH") =>
  `apiserver_longrunning_requests{component="apiserver",group="",resource="${resource}",scope="${scope}",verb="${verb}"} ${count}`;

function count(...kubectl: readonly string[]): string {
  const [program, ...args] = argvOf(COUNT_WATCHERS, ...kubectl);
  return execFileSync(program, args, { encoding: "utf8" }).trim();
}

const says = (...lines: readonly string[]): readonly string[] => ["sh", "-c", 'printf "%s\\n" "$0"', lines.join("\n")];

it("counts who watches all pods and all endpoints, and nobody else", () => {
  const metrics = [
    watch("pods", "cluster", 4),
    watch("pods", "cluster", 2),
    watch("pods", "namespace", 9),
    watch("pods", "cluster", 9, "CONNECT"),
    watch("endpointslices", "cluster", 3),
  ];
  expect(count(...says(...metrics))).toBe("6 3");
});

it("tells an API server that nobody watches from one that does not answer", () => {
  expect(count(...says("up 1"))).toBe("0 0");
  expect(count("false")).toBe("");
});
