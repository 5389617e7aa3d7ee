import { DroverError } from "@drover/contract";
import type { Container } from "../ports/container-engine.ts";

/** For work that waits for a cluster: when somebody removes all of it meanwhile, there is nothing left to wait for. */
export function requireStillThere(name: string, containers: readonly Container[]): void {
  if (containers.length > 0) return;
  throw new DroverError(
    "plan-stale",
    `${name} was removed while Drover worked on it. A repair makes it anew, by itself or with \`drover retry ${name}\`.`,
  );
}
