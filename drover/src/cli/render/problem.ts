import type { Problem } from "@drover/contract";

/** What is wrong, where, and the next move. Most messages name the place themselves; then it is not said twice. */
export function renderProblem({ path, message, next }: Pick<Problem, "path" | "message" | "next">): string {
  const place = path === "" || message.startsWith(path) ? "" : `${path}: `;
  return `${place}${message} ${next}`;
}

/** The server counts the lines of what it was sent, which is not what the user wrote. */
export const withoutLine = <T extends { readonly message: string }>(problem: T): T => ({
  ...problem,
  message: problem.message.replace(/ \(line \d+\)$/, ""),
});
