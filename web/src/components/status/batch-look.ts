import type { Batch, BatchResult } from "../../api/objects.ts";
import { JOB_LOOKS, type Look, MODIFIER_LOOKS, STEP_LOOKS } from "./status-look.ts";

export const BATCH_LOOKS: Readonly<Record<Batch["state"], Look>> = {
  Running: JOB_LOOKS.Processing,
  Paused: MODIFIER_LOOKS.Paused,
  Succeeded: JOB_LOOKS.Succeeded,
  Failed: JOB_LOOKS.Failed,
  Canceled: JOB_LOOKS.Canceled,
};

export const RESULT_LOOKS: Readonly<Record<BatchResult["state"], Look>> = {
  Waiting: JOB_LOOKS.Pending,
  Running: JOB_LOOKS.Processing,
  Succeeded: JOB_LOOKS.Succeeded,
  Failed: JOB_LOOKS.Failed,
  Skipped: STEP_LOOKS.Skipped,
};
