import type { Time } from "../../ports/store/index.ts";

export const toTime = (ms: Time): string => new Date(ms).toISOString();

export const toTimeOrNull = (ms: Time | null): string | null => (ms === null ? null : toTime(ms));
