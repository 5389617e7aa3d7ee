// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control bytes are what this file takes away
/* oxlint-disable eslint/no-control-regex */
const ESCAPE = "\x1b";
/** Anything that is not plain text in one line. A tab is. */
const SPECIAL = /[\0-\x08\n-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]/;
/** Colours, cursor moves, titles, queries: everything that a terminal would obey. */
const SEQUENCES = [
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]/g,
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n\r]*(?:\x07|\x9c|\x1b\\)?/g,
  /\x1b[ -/]*[0-~]/g,
];
/** A sequence whose end has not come. */
const UNFINISHED = /^\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\n\r]{0,256}|[ -/]*)$/;
const LINE_END = /\r\n|[\n\r\v\f\x85\u2028\u2029]/;
/** Control bytes, marks that turn the reading direction, and the byte-order mark. */
const INVISIBLE = /[\0-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Turns whatever a program wrote into lines of plain text that nothing can be hidden in and that no terminal or page
 * obeys: escape sequences and control bytes go away (colours too), tabs stay, a carriage return ends a line as a line
 * feed does. A sequence that was cut between two texts goes away as well.
 */
export class TextSanitizer {
  #unfinished = "";

  /** The lines of a text. One line end at its end begins no further line. */
  push(text: string): readonly string[] {
    const whole = this.#unfinished === "" ? text : this.#unfinished + text;
    this.#unfinished = "";
    if (!SPECIAL.test(whole)) return [whole];
    const lines = SEQUENCES.reduce((rest, sequence) => rest.replace(sequence, ""), this.#cut(whole)).split(LINE_END);
    if (lines.length > 1 && lines.at(-1) === "") lines.pop();
    return lines.map((line) => line.replace(INVISIBLE, "").replace(/\p{Cs}/gu, "\ufffd"));
  }

  #cut(text: string): string {
    const at = text.lastIndexOf(ESCAPE);
    if (at === -1 || !UNFINISHED.test(text.slice(at))) return text;
    this.#unfinished = text.slice(at);
    return text.slice(0, at);
  }
}

/** A complete text, such as an error message. Lines stay lines. */
export function sanitizeText(text: string): string {
  return new TextSanitizer().push(text).join("\n");
}
