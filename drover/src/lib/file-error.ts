/**
 * - `not-found`: the file, or the folder it should lie in, is not there
 * - `denied`: whoever asked may not
 * - `unreachable`: the host cannot be asked; the cause tells why. What was there before is there still, or all of the new
 * - `failed`: anything else; the cause tells
 */
export type FileFailureReason = "not-found" | "denied" | "unreachable" | "failed";

/** A file that could not be read or written on some host. Its content is never part of it. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly reason: FileFailureReason;
  readonly host: string;
  readonly path: string;

  constructor(reason: FileFailureReason, host: string, path: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.host = host;
    this.path = path;
  }
}

export function isFileError(error: unknown, reason?: FileFailureReason): error is FileError {
  return error instanceof FileError && (reason === undefined || error.reason === reason);
}
