import { DroverError } from "@drover/contract";
import type { Simulation } from "./simulation.ts";

/** Does one thing. What is refused is refused: that is part of the story. */
export async function act(simulation: Simulation, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DroverError)) throw error;
    simulation.trace.write("user", `is refused: ${error.code}`);
  }
}
