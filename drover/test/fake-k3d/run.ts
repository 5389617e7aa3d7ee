import type { DockerOfK3d } from "./docker-client.ts";

/** One run of the fake k3d. */
export interface K3dRun {
  readonly docker: DockerOfK3d;
  readonly args: readonly string[];
  readonly stdin: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Writes one line of the log. Rejects when the program is killed meanwhile: each line is a place to be killed at. */
  say(message: string, level?: "info" | "warning" | "error" | "fatal"): Promise<void>;
  /** Rejects when the program is killed meanwhile. */
  wait(ms: number): Promise<void>;
}

/** Ends the program with exit code 1, after what it said. */
export class K3dFailure extends Error {}

/** The value of every such flag, in order. */
export function flagsOf(args: readonly string[], flag: string): readonly string[] {
  return args.flatMap((argument, index) => (argument === flag ? [args[index + 1] ?? ""] : []));
}

export const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));
