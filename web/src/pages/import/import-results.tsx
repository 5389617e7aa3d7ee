import { Link } from "@tanstack/react-router";
import type { Answer } from "../../api/client.ts";
import { describeProblem } from "../../i18n/describe-error.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./import.module.css";

/** What becomes, or would become, of each cluster. */
export function ImportResults({ results }: { readonly results: Answer<"imports", "importKubeconfig">["items"] }) {
  const m = useMessages();
  return (
    <ul className={css.results} aria-label={m.imports.results}>
      {results.map(({ cluster, line, jobId, problems }) => (
        <li key={`${line} ${cluster}`}>
          {line === null ? null : <span>{m.editor.line(line)}</span>}
          <b>{cluster}</b>
          {problems.length === 0 && jobId === null ? <span>{m.imports.fine}</span> : null}
          {jobId === null ? null : (
            <Link to="/jobs/$id" params={{ id: jobId }}>
              {m.jobs.job}
            </Link>
          )}
          {problems.map((problem) => (
            <span key={problem.path + problem.message}>
              <code>{problem.path}</code> {describeProblem(m, problem)}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}
