import { Button, MultiSelect } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { addressOf, callApi } from "../../api/client.ts";
import { JOB_KINDS, JOB_STATES } from "../../api/words.ts";
import { CopyAs } from "../../components/copy/copy-as.tsx";
import { Empty } from "../../components/feedback/states.tsx";
import { JobTable } from "../../components/jobs/job-table.tsx";
import { Page } from "../../components/layout/page.tsx";
import { Facets } from "../../components/list/facets.tsx";
import { FilterBox } from "../../components/list/filter-box.tsx";
import css from "../../components/list/list.module.css";
import { JOB_LOOKS } from "../../components/status/status-look.ts";
import { objectToYaml } from "../../components/yaml/to-yaml.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import type { JobSearch } from "./search.ts";

const route = getRouteApi("/jobs");

export function JobsPage() {
  const m = useMessages();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/jobs" });
  const change = (next: JobSearch) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true });
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const clear = () => change({ cluster: undefined, state: undefined, kind: undefined });
  return (
    <Page
      title={m.jobs.heading}
      full
      actions={
        <CopyAs
          cli={["drover", "jobs", ...(search.cluster === undefined ? [] : [search.cluster])]}
          api={addressOf("jobs", "listJobs", { query: search })}
          yaml={async () => await objectToYaml((await callApi("jobs", "listJobs", { query: search })).items)}
        />
      }
    >
      <div className={css.tools}>
        <FilterBox
          label={m.jobs.filter}
          placeholder={m.jobs.filter}
          value={search.cluster ?? ""}
          onChange={(text) => change({ cluster: text === "" ? undefined : text })}
        />
        <Facets
          label={m.jobs.state}
          facets={JOB_STATES.map((value) => ({ value, label: m.jobStates[value], look: JOB_LOOKS[value] }))}
          chosen={search.state ?? []}
          onChange={(chosen) => change({ state: chosen.length === 0 ? undefined : (chosen as typeof JOB_STATES) })}
        />
        <MultiSelect
          aria-label={m.jobs.kind}
          placeholder={search.kind === undefined ? m.jobs.kind : ""}
          clearable
          w={180}
          data={JOB_KINDS.map((value) => ({ value, label: m.jobKinds[value] }))}
          value={[...(search.kind ?? [])]}
          onChange={(chosen) =>
            change({ kind: chosen.length === 0 ? undefined : (chosen as unknown as typeof JOB_KINDS) })
          }
        />
      </div>
      <JobTable
        {...search}
        empty={
          <Empty
            title={isFiltered ? m.list.noMatch : m.jobs.none}
            actions={
              isFiltered ? (
                <Button variant="default" onClick={clear}>
                  {m.list.clear}
                </Button>
              ) : undefined
            }
          />
        }
      />
    </Page>
  );
}
