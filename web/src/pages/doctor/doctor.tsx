import { useEffect, useState } from "react";
import { type HostReports, readHostReports } from "../../api/host-reports.ts";
import { HostReportCard } from "../../components/host-report-card.tsx";
import { useLanguage } from "../../i18n/use-language.tsx";

/** What the machines of the workers lack, each with its next move. */
export function Doctor() {
  const { messages } = useLanguage();
  const [answer, setAnswer] = useState<HostReports>({ kind: "loading" });
  useEffect(() => {
    const leaving = new AbortController();
    void readHostReports(leaving.signal).then((told) => (leaving.signal.aborted ? undefined : setAnswer(told)));
    return () => leaving.abort();
  }, []);
  return (
    <main className="welcome">
      <header className="hero">
        <h1>{messages.doctorTitle}</h1>
        <p className="intro">{messages.doctorText}</p>
      </header>
      <Answer answer={answer} />
      <p>
        <a href="/">{messages.doctorBack}</a>
      </p>
    </main>
  );
}

export function Answer({ answer }: { readonly answer: HostReports }) {
  const { messages } = useLanguage();
  if (answer.kind === "loading") return <p>{messages.stateLoading}</p>;
  if (answer.kind === "signed-out") return <p>{messages.doctorSignedOut}</p>;
  if (answer.kind === "unknown") return <p>{messages.doctorUnknown}</p>;
  if (answer.reports.length === 0) return <p>{messages.doctorNobody}</p>;
  return answer.reports.map((report) => <HostReportCard key={report.worker} report={report} />);
}
