import { type ClusterSpec, durationMilliseconds } from "@drover/contract";
import { sshPart } from "./declared.ts";

export const drainPatienceOf = (spec: ClusterSpec): number => durationMilliseconds(sshPart(spec).upgrade.drainTimeout);
