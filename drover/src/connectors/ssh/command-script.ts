import { isAbsolute } from "node:path";
import { quoteArgument } from "../../lib/quote-command.ts";
import type { Command } from "../../ports/connector.ts";
import { makeEndScript } from "./end-session-script.ts";

/** What the command and everything that it starts carries. */
export const MARK_VARIABLE = "DROVER_MARK";

/** The most that Linux takes as one argument. */
const LONGEST_ARGUMENT_BYTES = 128 * 1024;

/** Where commands run that name no folder. */
const FOLDER = "/";

/** Programs that every shell has in itself, where they do the very same without a process. */
const ALIKE = new Set(["test", "[", "true", "false"]);

/** Whether there is a program `$1` to execute, looked for as `exec` does. */
const FIND_PROGRAM = `find_program() {
  case $1 in
    */*) [ -f "$1" ] && return 0 ;;
    *) IFS=:
      for folder in $PATH; do [ -f "$folder/$1" ] && [ -x "$folder/$1" ] && unset IFS folder && return 0; done
      unset IFS folder ;;
  esac
  return 1
}`;

/** A first word on the output says how far it came; `$2` is what nobody else can say. */
const say = (word: string) => `echo "$2 ${word}"`;

export type StartWord = "started" | "no-folder" | "not-found" | "not-executable";

/** For a command that must not outlive the connection. */
export interface Tie {
  readonly graceMs: number;
  /** How much of the input is for the command; null when it reads none. */
  readonly inputBytes: number | null;
}

/** Turns the starter into the command. */
export function makeCommandScript(command: Command, tie: Tie | null = null): string {
  const { argv, directory = FOLDER } = command;
  const program = quoteArgument(argv[0]);
  return [
    ...(directory === FOLDER ? [] : [`cd ${quoteArgument(directory)} || { ${say("no-folder")}; exit; }`]),
    ...setSearchPath(command),
    FIND_PROGRAM,
    `find_program ${program} || { ${say("not-found")}; exit 127; }`,
    ...(argv[0].includes("/") ? [`[ -x ${program} ] || { ${say("not-executable")}; exit 126; }`] : []),
    "unset -f find_program",
    ...(tie === null ? [] : makeTie(tie)),
    "unset script PWD OLDPWD SHLVL",
    say("started"),
    `exec ${quoteInvocation(command)}`,
  ].join("\n");
}

/**
 * Somebody beside the session of the command who waits for the end of the channel's input, and ends the session then,
 * unless the command has ended before. What the command itself is to read is put aside first, in memory where there is
 * a place.
 */
function makeTie({ graceMs, inputBytes }: Tie): string[] {
  const takeInput = [
    "input=$(mktemp -p /dev/shm 2>/dev/null || mktemp) || exit",
    'exec 4>"$input" 5<"$input"',
    'rm -f -- "$input"',
    `head -c ${inputBytes} >&4`,
    "exec 3<&0 0<&5 4>&- 5<&-",
    "unset input",
  ];
  const guard = `cat; kill -0 "$1" || exit; ${makeEndScript(["$1"], graceMs)}`;
  return [
    ...(inputBytes === null ? ["exec 3<&0 </dev/null"] : takeInput),
    `setsid sh -c ${quoteArgument(guard)} drover $$ <&3 >/dev/null 2>&1 3<&- &`,
    "exec 3<&-",
  ];
}

/** A command within a script: literally, in its folder, with its variables. */
export function makeInvocation(command: Command): string {
  const { argv, environment = {}, directory = FOLDER } = command;
  if (ALIKE.has(argv[0]) && directory === FOLDER && Object.keys(environment).length === 0) {
    return `command ${argv.map(quoteArgument).join(" ")}`;
  }
  const enter = directory === FOLDER ? [] : [`cd ${quoteArgument(directory)} || exit 126`];
  return `(${[...enter, ...setSearchPath(command), `exec ${quoteInvocation(command)}`].join("; ")})`;
}

/** Runs something else first, after which the starter goes on or ends. */
export const startWith = (script: string): string => `${say("started")}\n${script}`;

/** Throws on what no command can hold. */
export function checkCommand({ argv, environment = {}, directory = FOLDER }: Command): void {
  if (argv[0] === "") throw new TypeError("The name of the program is empty.");
  if (!isAbsolute(directory)) throw new TypeError(`${JSON.stringify(directory)} is not an absolute path.`);
  for (const name of Object.keys(environment)) {
    if (!/^[^=\0]+$/.test(name)) throw new TypeError(`${JSON.stringify(name)} cannot be the name of a variable.`);
  }
  for (const text of [...argv, directory, ...Object.values(environment)]) {
    if (text.includes("\0")) throw new TypeError("An argument, variable or folder holds a NUL character.");
    if (Buffer.byteLength(text) >= LONGEST_ARGUMENT_BYTES) {
      throw new RangeError("Its arguments and variables are too long; pass them as input or in a file.");
    }
  }
}

/** Programs are looked for where the command wants them to be. */
function setSearchPath({ environment = {} }: Command): string[] {
  return Object.hasOwn(environment, "PATH") ? [`PATH=${quoteArgument(environment.PATH ?? "")}`] : [];
}

function quoteInvocation({ argv, environment = {}, mark }: Command): string {
  const variables = Object.entries({ ...environment, ...(mark === undefined ? {} : { [MARK_VARIABLE]: mark }) });
  const words = argv.map(quoteArgument);
  if (variables.length === 0) return words.join(" ");
  const assignments = variables.map(([name, value]) => quoteArgument(`${name}=${value}`));
  // What holds a "=" is a variable to env, wherever it stands before the program.
  const program = argv[0].includes("=") ? ["sh", "-c", quoteArgument('exec "$@"'), "sh", ...words] : words;
  return ["env", ...assignments, ...program].join(" ");
}
