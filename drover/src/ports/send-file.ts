export interface SendFileOptions {
  /** Left out: for its owner alone. */
  readonly mode?: number;
  /** What the file must be, in hexadecimal. Left out: whatever it is now. */
  readonly sha256?: string;
  readonly signal?: AbortSignal;
  /** How much of it has arrived, of how much. */
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
}

/**
 * What a connector may have beside the port: files of any size, between a path here and a path there, never held in
 * memory. Written beside its name, checked by SHA-256, made durable and renamed, as by `Connector.put`. What was sent
 * before a connection broke, or before this program did, is not sent again.
 */
export interface SendsFiles {
  /** Rejects with a `FileError`. */
  sendFile(from: string, to: string, options?: SendFileOptions): Promise<void>;
  /** Rejects with a `FileError`. */
  fetchFile(from: string, to: string, options?: SendFileOptions): Promise<void>;
}
