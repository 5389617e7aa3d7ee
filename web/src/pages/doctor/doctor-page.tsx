import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { type Answer, addressOf } from "../../api/client.ts";
import { useApi } from "../../api/use-api.ts";
import { CopyAs } from "../../components/copy/copy-as.tsx";
import { Empty, Loaded } from "../../components/feedback/states.tsx";
import { Page, Panel } from "../../components/layout/page.tsx";
import table from "../../components/layout/table.module.css";
import { Status } from "../../components/status/status.tsx";
import type { Look } from "../../components/status/status-look.ts";
import { Ago } from "../../components/time/time.tsx";
import { objectToYaml } from "../../components/yaml/to-yaml.ts";
import { useMessages } from "../../i18n/use-language.tsx";

type Report = Answer<"doctor", "listReports">["items"][number];

const LOOKS: Readonly<Record<Report["findings"][number]["result"], Look>> = {
  ok: { tone: "good", icon: IconCircleCheck },
  warning: { tone: "warn", icon: IconAlertTriangle },
  problem: { tone: "bad", icon: IconCircleX },
};

/** What is missing on the machines of the workers, and the exact next move. */
export function DoctorPage() {
  const m = useMessages();
  const reports = useApi(["doctor"], "doctor", "listReports", {});
  return (
    <Page
      title={m.doctor.title}
      subtitle={<span>{m.doctor.text}</span>}
      actions={
        <CopyAs
          cli={["drover", "doctor"]}
          api={addressOf("doctor", "listReports")}
          yaml={() => objectToYaml(reports.data?.items ?? [])}
        />
      }
    >
      <Loaded query={reports}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={m.doctor.none} text={m.overview.noWorkers} />
          ) : (
            items.map((report) => <Machine key={report.worker} report={report} />)
          )
        }
      </Loaded>
    </Page>
  );
}

function Machine({ report }: { readonly report: Report }) {
  const m = useMessages();
  return (
    <Panel title={report.host} flush actions={<Ago time={report.checkedTime} />}>
      <div className={table.scroll}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{m.doctor.check}</th>
              <th scope="col">{m.doctor.result}</th>
              <th scope="col">{m.doctor.detail}</th>
              <th scope="col">{m.doctor.next}</th>
            </tr>
          </thead>
          <tbody>
            {report.findings.map(({ check, result, detail, next }) => (
              <tr key={check}>
                <th scope="row">{check}</th>
                <td>
                  <Status look={LOOKS[result]}>{m.doctor.results[result]}</Status>
                </td>
                <td>{detail}</td>
                <td>{next === "" ? null : <code>{next}</code>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
