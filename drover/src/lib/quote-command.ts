/** What a POSIX shell reads as itself, wherever it stands. */
const PLAIN = /^[A-Za-z0-9_@%+:,./-]+$/;
/** Words that a shell takes for its own where a command begins. */
const RESERVED = new Set(
  "if then elif else fi do done case esac while until for in select function time coproc".split(" "),
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * One argument as a word that any POSIX shell reads back as exactly this text. The only way for a value to get into
 * the text of a command; where there is a list of arguments, use that instead.
 */
export function quoteArgument(argument: string): string {
  if (argument.includes("\0")) throw new TypeError("An argument cannot hold a NUL character.");
  return PLAIN.test(argument) ? argument : quote(argument);
}

export function quoteCommand(argv: readonly string[]): string {
  return argv.map((word, at) => (at === 0 && RESERVED.has(word) ? quote(word) : quoteArgument(word))).join(" ");
}

/** For people: as `quoteCommand`, but on one line and without control characters. Bash reads it back. */
export function showCommand(argv: readonly string[]): string {
  return argv.map((word) => (word.search(CONTROL) === -1 ? quoteCommand([word]) : quoteVisibly(word))).join(" ");
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function quoteVisibly(text: string): string {
  const body = text.replace(/[\\']/g, "\\$&").replace(CONTROL, escapeCharacter);
  return `$'${body}'`;
}

function escapeCharacter(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Output of a program as text that does nothing to a terminal: escape sequences go, tabs and line ends stay. */
export function makeHarmless(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(ESCAPE_SEQUENCE, "")
    .replace(CONTROL, (character) => (character === "\n" || character === "\t" ? character : "\ufffd"));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const ESCAPE_SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;
