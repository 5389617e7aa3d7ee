import type { Container, ContainerEngine } from "../ports/container-engine.ts";
import type { StepContext } from "../ports/step.ts";

export const isRunning = ({ state }: Container): boolean => state === "running";

/** Those of a stage at once, one stage after the other. Those that run are left alone. */
export async function startInStages(
  engine: ContainerEngine,
  context: StepContext,
  stages: readonly (readonly Container[])[],
): Promise<void> {
  for (const stage of stages) {
    await Promise.all(
      stage
        .filter((container) => !isRunning(container))
        .map(async ({ id, name }) => {
          context.log(`Starting the container ${name}.`);
          await engine.startContainer(id, context.signal);
        }),
    );
  }
}

/** How long nodes may take to end what runs on them. */
const GRACE_SECONDS = 20;

export async function stopInStages(
  engine: ContainerEngine,
  context: StepContext,
  stages: readonly (readonly Container[])[],
): Promise<void> {
  for (const stage of stages) {
    await Promise.all(
      stage.filter(isRunning).map(async ({ id, name }) => {
        context.log(`Stopping the container ${name}.`);
        await engine.stopContainer(id, { graceSeconds: GRACE_SECONDS }, context.signal);
      }),
    );
  }
}
