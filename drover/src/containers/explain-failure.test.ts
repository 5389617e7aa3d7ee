import { expect, it } from "vitest";
import { EngineError } from "../ports/container-engine.ts";
import { explainEngine } from "./explain-failure.ts";

const DELETE = "Docker refused DELETE /containers/8b3f (500): ";

it.each([
  [
    "Could not kill running container 8b3f, cannot remove - tried to kill container, but did not receive an exit event",
    "step-failed",
    "THAWED",
  ],
  ["write /var/lib/docker/x: no space left on device", "host-full", "docker system prune"],
])("tells the cause and the next move of: %s", (said, code, next) => {
  expect(explainEngine(new EngineError("refused", DELETE + said))).toMatchObject({
    code,
    message: expect.stringContaining(next),
  });
});

it("leaves what it does not know as it is", () => {
  const strange = new EngineError("refused", `${DELETE}whatever`);
  expect(explainEngine(strange)).toBe(strange);
});
