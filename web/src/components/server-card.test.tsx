import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { type ServerStatus, UNKNOWN_STATUS } from "../api/server-status.ts";
import { LANGUAGE_TAGS, LANGUAGES } from "../i18n/languages.ts";
import { LanguageProvider } from "../i18n/use-language.tsx";
import { describeAge } from "./age.tsx";
import { ServerCard } from "./server-card.tsx";

const STATUSES: readonly ServerStatus[] = [
  UNKNOWN_STATUS,
  { ...UNKNOWN_STATUS, state: "ready", version: "1.2.3", seenAt: Date.now() },
  { ...UNKNOWN_STATUS, state: "not-ready", version: "1.2.3", seenAt: Date.now(), detail: "locked <by> 4711" },
  { ...UNKNOWN_STATUS, state: "unreachable", cause: { kind: "status", status: 502 }, failures: 1 },
];

describe.each(LANGUAGE_TAGS)("in %s", (tag) => {
  const { messages } = LANGUAGES[tag];
  const show = (status: ServerStatus) =>
    renderToStaticMarkup(
      <LanguageProvider initial={tag}>
        <ServerCard status={status} onRetry={() => {}} />
      </LanguageProvider>,
    );

  it("says the state in a word, and offers to ask again only in trouble", () => {
    const [loading = "", ready = "", notReady = "", unreachable = ""] = STATUSES.map(show);
    expect(loading).toContain(messages.stateLoading);
    expect(loading).toContain("skeleton");
    expect(ready).toContain(messages.stateReady);
    expect(ready).toContain("1.2.3");
    expect(ready).not.toContain("<button");
    expect(notReady).toContain(messages.stateNotReady);
    expect(notReady).toContain("locked &lt;by&gt; 4711");
    expect(unreachable).toContain(messages.stateUnreachable);
    expect(unreachable).toContain(messages.causeStatus(502));
    expect(unreachable).toContain(messages.seenNever);
    expect([notReady, unreachable].every((html) => html.includes(messages.retry))).toBe(true);
  });

  it("tells an age in the unit that fits", () => {
    expect(describeAge(messages, 4_999)).toBe(messages.seenNow);
    expect(describeAge(messages, -50)).toBe(messages.seenNow);
    expect(describeAge(messages, 59_000)).toBe(messages.seenSeconds(59));
    expect(describeAge(messages, 150_000)).toBe(messages.seenMinutes(2));
  });
});
