import { type Container, type ContainerEngine, EngineError } from "../ports/container-engine.ts";
import type { StepContext } from "../ports/step.ts";

export const isRunning = ({ state }: Container): boolean => state === "running";

/**
 * Those of a stage at once, one stage after the other. Those that run are left alone, unless they have come into the
 * address of one that has to have it: who is started out of turn, as by a restart of the host, takes the first that is
 * free. Those of later stages then make room and start again in their turn.
 */
export async function startInStages(
  engine: ContainerEngine,
  context: StepContext,
  stages: readonly (readonly Container[])[],
): Promise<void> {
  const running = new Set(stages.flat().filter(isRunning));
  const start = (stage: readonly Container[]) =>
    Promise.all(
      stage
        .filter((container) => !running.has(container))
        .map(async ({ id, name }) => {
          context.log(`Starting the container ${name}.`);
          await engine.startContainer(id, context.signal);
        }),
    );
  for (const [index, stage] of stages.entries()) {
    try {
      await start(stage);
    } catch (error) {
      const later = stages.slice(index + 1).flat();
      if (!isAddressTaken(error) || later.length === 0) throw error;
      context.log("An address is taken. Those of the cluster that may have come into it are started again afterwards.");
      await Promise.all(
        later.map(async (container) => {
          await engine.stopContainer(container.id, { graceSeconds: GRACE_SECONDS }, context.signal);
          running.delete(container);
        }),
      );
      await start(stage);
    }
  }
}

/** An address of the network, with a 403; a port of the host that is taken reads alike, and stopping others frees none. */
const isAddressTaken = (error: unknown): boolean =>
  error instanceof EngineError && error.reason === "refused" && /\(403\): address already in use/i.test(error.message);

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
