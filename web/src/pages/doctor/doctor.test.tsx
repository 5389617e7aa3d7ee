import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { type HostReports, readHostReports } from "../../api/host-reports.ts";
import { LANGUAGE_TAGS, LANGUAGES } from "../../i18n/languages.ts";
import { LanguageProvider } from "../../i18n/use-language.tsx";
import { Answer } from "./doctor.tsx";

const report = {
  ...{ worker: "w1", host: "h1", checkedTime: "2026-11-15T10:00:00Z" },
  findings: [
    { check: "Docker", result: "ok", detail: "29.1.0", next: "" },
    { check: "kind", result: "warning", detail: "is not there <b>", next: "curl -fsSLo kind x && chmod +x kind" },
  ],
} as const;

describe.each(LANGUAGE_TAGS)("in %s", (tag) => {
  const { messages } = LANGUAGES[tag];
  const show = (answer: HostReports) =>
    renderToStaticMarkup(
      <LanguageProvider initial={tag}>
        <Answer answer={answer} />
      </LanguageProvider>,
    );

  it("shows each machine with its findings and next moves, and markup as text", () => {
    const shown = show({ kind: "told", reports: [report] });
    for (const text of [
      "h1",
      "29.1.0",
      messages.findingWarning,
      "<code>curl -fsSLo kind x &amp;&amp; chmod +x kind</code>",
    ]) {
      expect(shown).toContain(text);
    }
    expect(shown).not.toContain("<b>");
  });

  it("says why there is nothing to show", () => {
    expect(show({ kind: "told", reports: [] })).toContain(messages.doctorNobody);
    expect(show({ kind: "signed-out" })).toContain(messages.doctorSignedOut);
    expect(show({ kind: "unknown" })).toContain(messages.doctorUnknown);
  });
});

describe("asking the server", () => {
  const ask = (status: number, body: unknown) =>
    readHostReports(new AbortController().signal, async () => new Response(JSON.stringify(body), { status }));

  it("tells reports, being signed out, and anything else apart", async () => {
    expect(await ask(200, { items: [report] })).toEqual({ kind: "told", reports: [report] });
    expect(await ask(401, {})).toEqual({ kind: "signed-out" });
    expect(await ask(503, {})).toEqual({ kind: "unknown" });
    const broken = readHostReports(new AbortController().signal, () => Promise.reject(new TypeError("no network")));
    expect(await broken).toEqual({ kind: "unknown" });
  });
});
