import type { HostFinding, HostReport } from "../api/host-reports.ts";
import type { Messages } from "../i18n/messages.ts";
import { useLanguage } from "../i18n/use-language.tsx";

const RESULT_WORDS = {
  ok: "findingOk",
  warning: "findingWarning",
  problem: "findingProblem",
} as const satisfies Record<HostFinding["result"], keyof Messages>;

/** One machine: what was looked into, and the next move where something is missing. */
export function HostReportCard({ report: { worker, host, checkedTime, findings } }: { readonly report: HostReport }) {
  const { messages } = useLanguage();
  return (
    <section className="card" aria-label={host}>
      <h2>{host}</h2>
      <p>{messages.doctorChecked(worker, new Date(checkedTime).toLocaleString())}</p>
      <dl className="reading">
        {findings.map(({ check, result, detail, next }) => (
          <div key={check}>
            <dt>
              {check}: {messages[RESULT_WORDS[result]]}
            </dt>
            <dd>
              {detail}
              {next === "" ? null : (
                <>
                  <br />
                  <code>{next}</code>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
