import { sha256 } from "../../../../lib/sha256.ts";
import { runAll } from "../../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../../ports/step.ts";
import { machineOf, putText } from "../../steps/on-machine.ts";
import { k3sFilesFor } from "../k3s-files.ts";

/** Configuration and unit of a node. They hold from the next start on: that is for `restart-k3s-node`. */
export function configureK3sNode(): Step {
  return {
    name: "configure-k3s-node",
    precheck: async (context) => {
      const files = await k3sFilesFor(context);
      const [sums] = await runAll(
        await machineOf(context),
        [{ argv: ["sha256sum", ...files.map(({ path }) => path)] }],
        { signal: context.signal },
      );
      const there = new Set(sums?.stdout.split("\n"));
      return files.every(({ path, text }) => there.has(`${sha256(text)}  ${path}`));
    },
    run: (context) =>
      context.change(context.step.host, `Write the configuration of k3s on ${context.step.host}`, () => write(context)),
  };
}

async function write(context: StepContext): Promise<void> {
  const machine = await machineOf(context);
  const files = await k3sFilesFor(context);
  const folders = [...new Set(files.map(({ path }) => path.slice(0, path.lastIndexOf("/"))))];
  await machine.run({ argv: ["mkdir", "-p", ...folders] }, { signal: context.signal });
  for (const { path, text, mode } of files) await putText(machine, path, text, mode);
}
