import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import { armFailpoint, disarmFailpoints, failpoint } from "./failpoint.ts";

afterEach(disarmFailpoints);

it("does nothing at places that are not armed", () => {
  const action = vi.fn();
  armFailpoint("here", action);
  failpoint("there");
  expect(action).not.toHaveBeenCalled();
});

it("acts once, at the passage that was asked for", () => {
  const action = vi.fn();
  armFailpoint("here", action, 3);
  failpoint("here");
  failpoint("here");
  expect(action).not.toHaveBeenCalled();
  for (let passage = 0; passage < 5; passage++) failpoint("here");
  expect(action).toHaveBeenCalledTimes(1);
});

it("lets a throwing action reach whoever passes", () => {
  armFailpoint("here", () => {
    throw new Error("cut");
  });
  expect(() => failpoint("here")).toThrow("cut");
  expect(() => failpoint("here")).not.toThrow();
});

it("forgets everything when disarmed", () => {
  const action = vi.fn();
  armFailpoint("here", action);
  disarmFailpoints();
  failpoint("here");
  expect(action).not.toHaveBeenCalled();
});

it("ends the process on the spot with killProcess", async () => {
  const module = JSON.stringify(fileURLToPath(new URL("./failpoint.ts", import.meta.url)));
  const script = `import { armFailpoint, failpoint, killProcess } from ${module};
    process.on("exit", () => process.stdout.write("exit handlers ran"));
    armFailpoint("here", killProcess);
    failpoint("here");
    process.stdout.write("survived");`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script]);
  const written: Buffer[] = [];
  child.stdout.on("data", (data: Buffer) => void written.push(data));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  expect({ code, signal, written: Buffer.concat(written).toString() }).toEqual({
    code: null,
    signal: "SIGKILL",
    written: "",
  });
});
