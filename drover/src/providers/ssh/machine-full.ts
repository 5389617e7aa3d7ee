import { DroverError } from "@drover/contract";
import { isCommandError } from "../../lib/command-error.ts";

const FULL = /no space left on device|ENOSPC|disk quota exceeded/i;

/** A full disk as its cause and the next move; other errors stay as they are. */
export function explainFull(node: string, place: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const said = isCommandError(error, "failed") ? `${error.stderr}\n${error.message}` : error.message;
  if (!FULL.test(said)) return error;
  return new DroverError(
    "host-full",
    `There is no room left for ${place} on ${node}. Free some there (\`df -h ${place}\` shows how much there is), then try again.`,
    { cause: error },
  );
}
