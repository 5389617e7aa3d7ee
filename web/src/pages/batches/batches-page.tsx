import { Button } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { addressOf } from "../../api/client.ts";
import type { Batch } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { apiPage } from "../../api/use-api.ts";
import { CopyAs } from "../../components/copy/copy-as.tsx";
import { Empty } from "../../components/feedback/states.tsx";
import { Page } from "../../components/layout/page.tsx";
import css from "../../components/list/list.module.css";
import { type Column, ResourceTable } from "../../components/list/resource-table.tsx";
import { useKeysetPages } from "../../components/list/use-keyset-pages.ts";
import { ByWhom } from "../../components/people/by-whom.tsx";
import { BATCH_LOOKS } from "../../components/status/batch-look.ts";
import { ProgressBar, Status } from "../../components/status/status.tsx";
import { Ago } from "../../components/time/time.tsx";
import { objectToYaml } from "../../components/yaml/to-yaml.ts";
import { useMessages } from "../../i18n/use-language.tsx";

const idOf = ({ id }: Batch): string => id;

/** Every operation on many clusters, newest first. */
export function BatchesPage() {
  const m = useMessages();
  const navigate = useNavigate();
  const list = useKeysetPages(
    "batches",
    (after) => apiPage(KEYS.batchPages, "batches", "listBatches", { query: { after } }),
    idOf,
  );
  return (
    <Page
      title={m.batches.heading}
      full
      actions={
        <CopyAs
          cli={["drover", "batch", "list"]}
          api={addressOf("batches", "listBatches")}
          yaml={() => objectToYaml(list.rows)}
        />
      }
    >
      <ResourceTable
        label={m.batches.heading}
        identity="batches"
        list={list}
        columns={useColumns()}
        keyOf={idOf}
        onOpen={({ id }) => void navigate({ to: "/batches/$id", params: { id } })}
        empty={
          <Empty
            title={m.batches.none}
            text={m.batches.noneText}
            actions={
              <Button component={Link} to="/clusters" variant="default">
                {m.clusters.title}
              </Button>
            }
          />
        }
      />
    </Page>
  );
}

function useColumns(): readonly Column<Batch>[] {
  const m = useMessages();
  return useMemo(
    () => [
      {
        id: "operation",
        header: m.batches.operation,
        width: "minmax(150px, 2fr)",
        cell: ({ id, operation, total }) => (
          <Link to="/batches/$id" params={{ id }} className={css.link} tabIndex={-1}>
            {m.batches.title(m.operations[operation], total)}
          </Link>
        ),
      },
      {
        id: "state",
        header: m.jobs.state,
        width: "120px",
        cell: ({ state }) => <Status look={BATCH_LOOKS[state]}>{m.batchStates[state]}</Status>,
      },
      {
        id: "progress",
        header: m.batches.progress,
        width: "minmax(160px, 2fr)",
        wide: true,
        cell: ({ done, failed, total }) => (
          <>
            <ProgressBar
              percent={Math.round(((done + failed) / Math.max(1, total)) * 100)}
              tone={failed > 0 ? "bad" : "busy"}
              label={m.batches.progress}
            />{" "}
            {m.batches.tally(done, failed, total)}
          </>
        ),
      },
      { id: "reason", header: m.common.reason, width: "minmax(120px, 2fr)", wide: true, cell: ({ reason }) => reason },
      {
        id: "created",
        header: m.cluster.created,
        width: "minmax(140px, 1fr)",
        wide: true,
        cell: ({ createdBy, createdTime }) => (
          <>
            <ByWhom actor={createdBy} /> <Ago time={createdTime} />
          </>
        ),
      },
    ],
    [m],
  );
}
