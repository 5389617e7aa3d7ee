/** Where a command writes and whom it may ask. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `out` and `err` are screens, on which lines can be drawn again. */
  readonly outIsScreen: boolean;
  readonly errIsScreen: boolean;
  readonly colours: boolean;
  readonly columns: () => number;
  readonly rows: () => number;
  /** Everything on standard input. */
  readonly readInput: () => Promise<string>;
  /** An answer of a person; null when there is nobody to ask. A hidden one is not shown while it is typed. */
  readonly ask: (question: string, options?: { readonly hidden?: boolean }) => Promise<string | null>;
  /** Fires with Ctrl+C, until the answer is called. The second one ends the program as usual. */
  readonly onInterrupt: (callback: () => void) => () => void;
  /** Opens a file in the user's editor and waits for it to be closed. */
  readonly edit: (file: string) => Promise<void>;
}
