import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { addressOf } from "../../api/client.ts";
import type { Batch, BatchResult } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { apiPage, useApi, useChange } from "../../api/use-api.ts";
import { ChangeButton } from "../../components/change/change-button.tsx";
import { CopyAs } from "../../components/copy/copy-as.tsx";
import { ErrorPanel } from "../../components/feedback/error-panel.tsx";
import { Empty, Loaded } from "../../components/feedback/states.tsx";
import { Page } from "../../components/layout/page.tsx";
import css from "../../components/list/list.module.css";
import { type Column, ResourceTable } from "../../components/list/resource-table.tsx";
import { useKeysetPages } from "../../components/list/use-keyset-pages.ts";
import { ByWhom } from "../../components/people/by-whom.tsx";
import { BATCH_LOOKS, RESULT_LOOKS } from "../../components/status/batch-look.ts";
import { ProgressBar, Status } from "../../components/status/status.tsx";
import { Ago } from "../../components/time/time.tsx";
import { objectToYaml } from "../../components/yaml/to-yaml.ts";
import { useMessages } from "../../i18n/use-language.tsx";

const route = getRouteApi("/batches/$id");

/** One operation on many clusters: how far it is, and what became of each. */
export function BatchPage() {
  const { id } = route.useParams();
  const batch = useApi(KEYS.batch(id), "batches", "getBatch", { params: { id } });
  return <Loaded query={batch}>{(found) => <BatchScreen batch={found} />}</Loaded>;
}

function BatchScreen({ batch }: { readonly batch: Batch }) {
  const m = useMessages();
  const { id, operation, state, total, done, failed, wave, createdBy, createdTime, reason } = batch;
  const list = useKeysetPages(
    id,
    (after) => apiPage(KEYS.batch(id), "batches", "listResults", { params: { id }, query: { after } }),
    ({ cluster }) => cluster,
  );
  return (
    <Page
      title={m.batches.title(m.operations[operation], total)}
      full
      subtitle={
        <>
          <Status look={BATCH_LOOKS[state]} pill>
            {m.batchStates[state]}
          </Status>
          <ProgressBar
            percent={Math.round(((done + failed) / Math.max(1, total)) * 100)}
            tone={failed > 0 ? "bad" : "busy"}
            label={m.batches.progress}
          />
          <span>{m.batches.tally(done, failed, total)}</span>
          <span>{m.batches.wave(wave)}</span>
          <span>
            <ByWhom actor={createdBy} /> <Ago time={createdTime} />
          </span>
          <span>{reason}</span>
        </>
      }
      actions={
        <>
          <Steer batch={batch} />
          <CopyAs
            cli={["drover", "batch", "show", id]}
            api={addressOf("batches", "getBatch", { params: { id } })}
            yaml={() => objectToYaml(batch)}
          />
        </>
      }
    >
      <ResourceTable
        label={m.batches.results}
        identity={id}
        list={list}
        total={total}
        columns={useColumns()}
        keyOf={({ cluster }) => cluster}
        empty={<Empty title={m.batches.noResults} />}
      />
    </Page>
  );
}

function Steer({ batch: { id, state } }: { readonly batch: Batch }) {
  const m = useMessages();
  const { may } = useSession();
  const keys = [KEYS.batch(id), KEYS.batches];
  const pause = useChange("batches", "pauseBatch", keys);
  const resume = useChange("batches", "resumeBatch", keys);
  const cancel = useChange("batches", "cancelBatch", keys);
  const error = pause.error ?? resume.error ?? cancel.error;
  const isOver = state !== "Running" && state !== "Paused";
  if (isOver || !may("operator")) return null;
  const request = { params: { id } };
  return (
    <>
      {error === null ? null : <ErrorPanel error={error} />}
      {state === "Running" ? (
        <ChangeButton variant="default" loading={pause.isPending} onClick={() => pause.mutate(request)}>
          {m.operations.pause}
        </ChangeButton>
      ) : (
        <ChangeButton loading={resume.isPending} onClick={() => resume.mutate(request)}>
          {m.operations.resume}
        </ChangeButton>
      )}
      <ChangeButton variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(request)}>
        {m.batches.cancel}
      </ChangeButton>
    </>
  );
}

function useColumns(): readonly Column<BatchResult>[] {
  const m = useMessages();
  return useMemo(
    () => [
      {
        id: "cluster",
        header: m.clusters.name,
        width: "minmax(150px, 2fr)",
        cell: ({ cluster }) => (
          <Link
            to="/clusters/$name/$tab"
            params={{ name: cluster, tab: "overview" }}
            className={css.link}
            tabIndex={-1}
          >
            {cluster}
          </Link>
        ),
      },
      {
        id: "state",
        header: m.jobs.state,
        width: "130px",
        cell: ({ state }) => <Status look={RESULT_LOOKS[state]}>{m.resultStates[state]}</Status>,
      },
      { id: "wave", header: m.batches.waveHeader, width: "70px", align: "end", wide: true, cell: ({ wave }) => wave },
      {
        id: "job",
        header: m.jobs.job,
        width: "90px",
        wide: true,
        cell: ({ jobId }) =>
          jobId === null ? (
            "–"
          ) : (
            <Link to="/jobs/$id" params={{ id: jobId }} tabIndex={-1}>
              {m.jobs.job}
            </Link>
          ),
      },
      { id: "message", header: m.jobs.cause, width: "minmax(120px, 4fr)", wide: true, cell: ({ message }) => message },
    ],
    [m],
  );
}
