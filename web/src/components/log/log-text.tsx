import { memo } from "react";
import { parseAnsi } from "../../lib/ansi.ts";
import css from "./log.module.css";

/** Longer lines are cut; the whole is shown on demand. */
export const SHOWN_CHARACTERS = 2_000;

/** The text of a line with its colours, and what was searched for marked in it. */
export const LogText = memo(function LogText({ text, search }: { readonly text: string; readonly search: string }) {
  return (
    <>
      {parseAnsi(text.slice(0, SHOWN_CHARACTERS)).map(({ text: piece, colour, bold, dim }, index) => (
        <span
          key={index}
          className={
            [css[`c${colour}`], bold ? css.bold : "", dim ? css.dim : ""].filter(Boolean).join(" ") || undefined
          }
        >
          {search === "" ? piece : markMatches(piece, search)}
        </span>
      ))}
    </>
  );
});

function markMatches(text: string, search: string) {
  const folded = text.toLowerCase();
  const wanted = search.toLowerCase();
  const parts: React.ReactNode[] = [];
  let from = 0;
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>);
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}
