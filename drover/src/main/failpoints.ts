import { OptionsError } from "../config/load-options.ts";
import { OPTIONS, type Options } from "../config/options.ts";
import { ENGINE_FAILPOINTS } from "../engine/failpoints.ts";
import { armFailpoint, killProcess } from "../lib/failpoint.ts";
import { RECONCILER_FAILPOINTS } from "../reconciler/failpoints.ts";
import { STORE_FAILPOINTS } from "../store/failpoints.ts";

/** Every place in the program at which a test can end the process. */
export const FAILPOINTS: readonly string[] = [...ENGINE_FAILPOINTS, ...RECONCILER_FAILPOINTS, ...STORE_FAILPOINTS];

/** Arms the place that the options name, if they name one. */
export function armFailpointOf({ failpoint }: Pick<Options, "failpoint">): void {
  if (failpoint === null) return;
  if (!FAILPOINTS.includes(failpoint.name)) {
    const { flag, description } = OPTIONS.failpoint;
    const message = `names no place in this program: ${failpoint.name}`;
    throw new OptionsError([{ where: flag, message, next: description }]);
  }
  armFailpoint(failpoint.name, killProcess, failpoint.passage);
}
