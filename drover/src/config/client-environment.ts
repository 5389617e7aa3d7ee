import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Environment } from "./load-options.ts";

/** What the command line takes from the environment beside the options table: secrets, and the habits of terminals. */
export interface ClientEnvironment {
  /** The token itself. It has no flag: every user of a machine can read the command lines on it. */
  readonly token: string | null;
  /** https://no-color.org: set to anything, colours are off. */
  readonly noColour: boolean;
  /** A terminal that cannot move its cursor. */
  readonly dumbTerminal: boolean;
  /** The program and its arguments. */
  readonly editor: readonly string[];
  /** Where this user keeps configuration of Drover's command line. */
  readonly configDir: string;
  /** The files that kubectl of this user reads, the first one first. */
  readonly kubeconfigFiles: readonly string[];
}

export function readClientEnvironment(env: Environment = process.env): ClientEnvironment {
  const editor = (env.VISUAL || env.EDITOR || "vi").split(/\s+/).filter((word) => word !== "");
  const named = (env.KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
  return {
    token: env.DROVER_TOKEN || null,
    noColour: (env.NO_COLOR ?? "") !== "",
    dumbTerminal: env.TERM === "dumb",
    editor: editor.length === 0 ? ["vi"] : editor,
    configDir: join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "drover"),
    kubeconfigFiles: named.length === 0 ? [join(homedir(), ".kube", "config")] : named,
  };
}
