import { DroverError } from "@drover/contract";
import { explainDocker } from "../../containers/explain-failure.ts";
import type { StepContext } from "../../ports/step.ts";
import type { K3dHost } from "./host.ts";
import type { K3dEnd } from "./run-k3d.ts";
import { everyContainer } from "./sort-out.ts";

/** Typed where the cause is known. What a node wrote last goes before what k3d says of waiting for it. */
export async function explainFailure(
  host: K3dHost,
  context: StepContext,
  what: string,
  { errors }: K3dEnd,
): Promise<DroverError> {
  const said = errors.join("\n");
  const known = explainDocker(said) ?? explainPull(said);
  if (known !== null) return known;
  const fatal = await findFatal(host, context);
  if (fatal !== null) {
    return new DroverError(
      "step-failed",
      `k3s in ${fatal.container} ended: ${fatal.message} Look at spec.k3d.k3sArgs and at the image.`,
    );
  }
  return new DroverError("step-failed", `${what} failed: ${errors[0] ?? "k3d did not say why."}`);
}

function explainPull(said: string): DroverError | null {
  const [, image, why] = /docker failed to pull the image '([^']+)': (.*)$/m.exec(said) ?? [];
  if (image === undefined) return null;
  return new DroverError(
    "image-missing",
    `The image ${image} is not on this machine and cannot be pulled: ${why}. Load it with \`docker load\`, or name another image or version.`,
    { details: { image } },
  );
}

const LINES = 400;

/** The newest line of the level fatal that any node has written; k3d waits in silence for a k3s that ended. */
async function findFatal(
  host: K3dHost,
  { cluster, signal }: StepContext,
): Promise<{ readonly container: string; readonly message: string } | null> {
  for (const { id, name } of everyContainer(await host.see(cluster, signal))) {
    const lines = await host.parts.engine.readLog(id, { lines: LINES }, signal);
    const line = lines.findLast((text) => text.includes("level=fatal"));
    if (line !== undefined) return { container: name, message: messageOf(line) };
  }
  return null;
}

function messageOf(line: string): string {
  const [, message] = /msg="((?:[^"\\]|\\.)*)"/.exec(line) ?? /msg=(.*)$/.exec(line) ?? [];
  const text = (message ?? line).replaceAll('\\"', '"').trim();
  return text.endsWith(".") ? text : `${text}.`;
}
