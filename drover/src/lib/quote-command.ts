/** What a POSIX shell reads as itself, wherever it stands. */
const PLAIN = /^[A-Za-z0-9_@%+:,./-]+$/;
/** Words that a shell takes for its own where a command begins. */
const RESERVED = new Set(
  "if then elif else fi do done case esac while until for in select function time coproc".split(" "),
);
/** Control characters, format marks (such as those that turn the reading direction) and separators of lines. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

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

/** For people: as `quoteCommand`, but on one line and without anything that cannot be seen. Bash reads it back. */
export function showCommand(argv: readonly string[]): string {
  return argv.map((word) => (word.search(INVISIBLE) === -1 ? quoteCommand([word]) : quoteVisibly(word))).join(" ");
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function quoteVisibly(text: string): string {
  const body = text.replace(/[\\']/g, "\\$&").replace(INVISIBLE, escapeCharacter);
  return `$'${body}'`;
}

function escapeCharacter(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}
