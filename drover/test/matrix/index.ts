import { clusterRows } from "./clusters.ts";
import { jobRows } from "./jobs.ts";
import { objectRows } from "./objects.ts";
import { otherRows } from "./others.ts";
import type { Matrix } from "./row.ts";

/** Role × route × label scope. */
export const MATRIX: Matrix = { ...clusterRows, ...jobRows, ...objectRows, ...otherRows };
