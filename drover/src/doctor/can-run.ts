import { CommandError } from "../lib/command-error.ts";
import type { HostParts } from "./host-parts.ts";

const PATIENCE_MS = 5_000;

/** Whether there is such a program, well or not. */
export async function canRun({ programs }: Pick<HostParts, "programs">, name: string): Promise<boolean> {
  try {
    await programs.run({ argv: [name, "--version"] }, { deadlineMs: PATIENCE_MS });
    return true;
  } catch (error) {
    return !(error instanceof CommandError && error.reason === "not-found");
  }
}
