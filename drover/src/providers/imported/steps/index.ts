import type { Step } from "../../../ports/step.ts";
import type { LookParts } from "../look.ts";
import { connectImportedCluster } from "./connect-imported-cluster.ts";

export const importedSteps = (parts: LookParts): readonly Step[] => [connectImportedCluster(parts)];
