import { useServerStatus } from "../../api/use-server-status.ts";
import { useSession } from "../../api/use-session.ts";
import { ServerCard } from "../../components/server-card.tsx";
import { SessionCard } from "../../components/session-card.tsx";
import type { Messages } from "../../i18n/messages.ts";
import { useLanguage } from "../../i18n/use-language.tsx";

const WORK = [
  ["declareTitle", "declareText"],
  ["observeTitle", "observeText"],
  ["planTitle", "planText"],
  ["runTitle", "runText"],
] as const satisfies readonly (readonly [keyof Messages, keyof Messages])[];

const READING = [
  ["docs/architecture.md", "readArchitecture"],
  ["docs/options.md", "readOptions"],
  ["CHANGELOG.md", "readChangelog"],
] as const satisfies readonly (readonly [string, keyof Messages])[];

const ENDPOINTS = [
  ["/doctor", "readDoctor"],
  ["/api/v1/docs", "readApi"],
  ["/api/v1/version", "readVersion"],
  ["/readyz", "readReady"],
] as const satisfies readonly (readonly [string, keyof Messages])[];

/** The first page: what Drover is, whether its server is well, and what this version can do. */
export function Welcome() {
  const { messages } = useLanguage();
  const { status, askAgain } = useServerStatus();
  const session = useSession();
  return (
    <main className="welcome">
      <header className="hero">
        <h1>{messages.tagline}</h1>
        <p className="intro">{messages.intro}</p>
      </header>
      <SessionCard {...session} />
      <ServerCard status={status} onRetry={askAgain} />
      <section aria-labelledby="works-title">
        <h2 id="works-title">{messages.worksTitle}</h2>
        <ol className="work">
          {WORK.map(([title, text]) => (
            <li key={title}>
              <h3>{messages[title]}</h3>
              <p>{messages[text]}</p>
            </li>
          ))}
        </ol>
      </section>
      <div className="pair">
        <section aria-labelledby="now-title">
          <h2 id="now-title">{messages.nowTitle}</h2>
          <p>{messages.nowText}</p>
        </section>
        <Reading messages={messages} />
      </div>
    </main>
  );
}

function Reading({ messages }: { readonly messages: Messages }) {
  return (
    <section aria-labelledby="read-title">
      <h2 id="read-title">{messages.readTitle}</h2>
      <p>{messages.readText}</p>
      <dl className="reading">
        {READING.map(([file, about]) => (
          <div key={file}>
            <dt>
              <code>{file}</code>
            </dt>
            <dd>{messages[about]}</dd>
          </div>
        ))}
        {ENDPOINTS.map(([path, about]) => (
          <div key={path}>
            <dt>
              <a href={path}>
                <code>{path}</code>
              </a>
            </dt>
            <dd>{messages[about]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
