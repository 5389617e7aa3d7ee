/** One thing that was looked into, and what to do about it when it is not well. */
export interface Finding {
  readonly check: string;
  readonly result: "ok" | "warning" | "problem";
  readonly detail: string;
  /** The exact next move; empty when there is nothing to do. */
  readonly next: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, result: "ok", detail, next: "" });

export const warning = (check: string, detail: string, next: string): Finding => ({
  ...{ check, result: "warning", detail, next },
});

export const problem = (check: string, detail: string, next: string): Finding => ({
  ...{ check, result: "problem", detail, next },
});
