import type { Cause, ServerStatus } from "../api/server-status.ts";
import type { Messages } from "../i18n/messages.ts";
import { useLanguage } from "../i18n/use-language.tsx";
import { Age } from "./age.tsx";
import { markCode } from "./mark-code.tsx";

const STATE_WORDS = {
  loading: "stateLoading",
  ready: "stateReady",
  "not-ready": "stateNotReady",
  unreachable: "stateUnreachable",
} as const satisfies Record<ServerStatus["state"], keyof Messages>;

/** Drawn rather than typed, since fonts disagree about such signs. */
const STATE_SIGNS = {
  loading: "M5.5 10h.01M10 10h.01M14.5 10h.01",
  ready: "M5.5 10.5l3 3 6-6.5",
  "not-ready": "M10 5.5v5.5M10 14.4h.01",
  unreachable: "M6.5 6.5l7 7M13.5 6.5l-7 7",
} as const satisfies Record<ServerStatus["state"], string>;

/** The server as it was last seen: sign, word and colour for its state, and what to do when it is not well. */
export function ServerCard({ status, onRetry }: { readonly status: ServerStatus; readonly onRetry: () => void }) {
  const { messages } = useLanguage();
  return (
    <section className="card server" data-state={status.state} aria-labelledby="server-title">
      <h2 id="server-title">{messages.serverTitle}</h2>
      <dl className="facts">
        <div>
          <dt>{messages.serverState}</dt>
          <dd>
            <output className="server-state">
              <svg className="server-sign" viewBox="0 0 20 20" aria-hidden="true">
                <circle cx="10" cy="10" r="10" />
                <path d={STATE_SIGNS[status.state]} />
              </svg>
              {messages[STATE_WORDS[status.state]]}
            </output>
          </dd>
        </div>
        <div>
          <dt>{messages.serverVersion}</dt>
          <dd>{status.version ?? <Placeholder loading={status.state === "loading"} />}</dd>
        </div>
        <div>
          <dt>{messages.serverSeen}</dt>
          <dd>{status.state === "loading" ? <Placeholder loading /> : <Age since={status.seenAt} />}</dd>
        </div>
      </dl>
      <Trouble status={status} onRetry={onRetry} />
    </section>
  );
}

function Placeholder({ loading }: { readonly loading: boolean }) {
  return loading ? <span className="skeleton" aria-hidden="true" /> : "–";
}

function Trouble({ status, onRetry }: { readonly status: ServerStatus; readonly onRetry: () => void }) {
  const { messages } = useLanguage();
  if (status.state === "loading" || status.state === "ready") return null;
  const text = status.state === "not-ready" ? messages.notReadyText : messages.unreachableText;
  const cause = status.cause ? describeCause(messages, status.cause) : status.detail;
  return (
    <div className="trouble">
      <p>{markCode(text)}</p>
      {cause ? <p className="trouble-cause">{cause}</p> : null}
      <button type="button" className="button" onClick={onRetry}>
        {messages.retry}
      </button>
    </div>
  );
}

export function describeCause(messages: Messages, cause: Cause): string {
  switch (cause.kind) {
    case "timeout":
      return messages.causeTimeout;
    case "network":
      return messages.causeNetwork;
    case "unreadable":
      return messages.causeUnreadable;
    case "status":
      return messages.causeStatus(cause.status);
  }
}
