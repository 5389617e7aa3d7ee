import { isCommandError } from "../../lib/command-error.ts";
import { FileError } from "../../lib/file-error.ts";
import { quoteArgument } from "../../lib/quote-command.ts";
import { type Connector, runOrThrow } from "../../ports/connector.ts";
import type { BorrowFileOptions, LendingOffer } from "../../ports/lend-files.ts";
import { FINISH, GIVE_UP, JUDGE_FOLDER } from "./files.ts";
import { BORROW } from "./lending-scripts.ts";
import { placePart } from "./send-file.ts";

/** Has a machine fetch a file from another one, see `LendsFiles`. */
export async function borrowFile(
  machine: Connector,
  offer: LendingOffer,
  to: string,
  options: BorrowFileOptions,
): Promise<void> {
  const { sha256, bytes, signal, onProgress } = options;
  const script = [
    ...placePart(to, sha256, options.mode),
    `wanted=${sha256}`,
    ...[`address=${quoteArgument(offer.address)}`, `port=${offer.port}`, `user=${quoteArgument(offer.user)}`],
    JUDGE_FOLDER,
    GIVE_UP,
    BORROW,
    FINISH,
  ].join("\n");
  try {
    await runOrThrow(
      machine,
      // What is known of the other machine comes first, then the key.
      { argv: ["sh", "-c", script, "drover-borrow"], stdin: `lender ${offer.hostKey}\n${offer.privateKey}` },
      {
        tied: true,
        ...(signal ? { signal } : {}),
        onLine: (line, stream) => {
          if (stream === "stdout" && /^\d+$/.test(line)) onProgress?.(Number(line), bytes);
        },
      },
    );
  } catch (error) {
    signal?.throwIfAborted();
    const why = isCommandError(error, "failed") && error.stderr.trim() !== "" ? error.stderr.trim() : String(error);
    const text = `${to} on ${machine.host} could not be fetched from ${offer.address}. ${why}`;
    throw new FileError(isCommandError(error, "unreachable") ? "unreachable" : "failed", machine.host, to, text, error);
  }
}
