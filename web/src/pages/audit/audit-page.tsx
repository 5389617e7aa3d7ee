import { Button, TextInput } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { addressOf, callApi } from "../../api/client.ts";
import type { AuditEntry } from "../../api/objects.ts";
import { useApi } from "../../api/use-api.ts";
import { CopyAs } from "../../components/copy/copy-as.tsx";
import { Empty } from "../../components/feedback/states.tsx";
import { Facts, Page } from "../../components/layout/page.tsx";
import { FilterBox } from "../../components/list/filter-box.tsx";
import css from "../../components/list/list.module.css";
import { type Column, ResourceTable } from "../../components/list/resource-table.tsx";
import { ListWithSide, SidePanel } from "../../components/list/side-panel.tsx";
import { useKeysetPages } from "../../components/list/use-keyset-pages.ts";
import { Ago, Moment } from "../../components/time/time.tsx";
import { objectToYaml } from "../../components/yaml/to-yaml.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { saveFile } from "../../lib/save-file.ts";
import type { AuditSearch } from "./search.ts";

const route = getRouteApi("/audit");
const AUDIT = ["audit"] as const;
const PAGE_ROWS = 200;

type Filter = Pick<AuditSearch, "actor" | "objectName">;

/** The audit log is read backwards by the number of its entries. */
async function readEntries(filter: Filter, before: string | undefined, signal: AbortSignal) {
  const { items } = await callApi("audit", "listAudit", { query: { ...filter, before, limit: PAGE_ROWS }, signal });
  const last = items.at(-1);
  return { items, next: items.length < PAGE_ROWS || last === undefined ? null : String(last.seq) };
}

/** Who changed what, from where; and whether the log itself was changed. */
export function AuditPage() {
  const m = useMessages();
  const { actor, objectName, entry } = route.useSearch();
  const navigate = useNavigate({ from: "/audit" });
  const change = (next: AuditSearch) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true });
  const filter = { actor, objectName };
  const identity = JSON.stringify(filter);
  const list = useKeysetPages<AuditEntry>(
    identity,
    (after) => ({
      queryKey: [...AUDIT, "pages", filter, after],
      queryFn: ({ signal }) => readEntries(filter, after, signal),
    }),
    ({ seq }) => String(seq),
  );
  const verdict = useApi(AUDIT, "audit", "verifyAudit", {});
  const shown = list.rows.find(({ seq }) => String(seq) === entry);
  const isFiltered = actor !== undefined || objectName !== undefined;
  return (
    <Page
      title={m.audit.title}
      full
      subtitle={
        verdict.data === undefined ? undefined : (
          <span>
            {verdict.data.intact ? m.audit.intact(verdict.data.entries) : m.audit.broken(verdict.data.firstBroken ?? 0)}
          </span>
        )
      }
      actions={
        <>
          <Button
            variant="default"
            onClick={() => saveFile("audit.json", JSON.stringify(list.rows, null, 2), "application/json")}
          >
            {m.audit.export}
          </Button>
          <CopyAs
            cli={["drover", "audit", "list"]}
            api={addressOf("audit", "listAudit", { query: filter })}
            yaml={() => objectToYaml(shown ?? list.rows)}
          />
        </>
      }
    >
      <div className={css.tools}>
        <FilterBox
          label={m.audit.filter}
          placeholder={m.audit.filter}
          value={objectName ?? ""}
          onChange={(text) => change({ objectName: text === "" ? undefined : text })}
        />
        <TextInput
          aria-label={m.audit.actor}
          placeholder={m.audit.actor}
          defaultValue={actor ?? ""}
          onBlur={(event) => change({ actor: event.currentTarget.value || undefined })}
        />
      </div>
      <ListWithSide
        side={
          shown === undefined ? null : (
            <SidePanel title={shown.action} onClose={() => change({ entry: undefined })}>
              <EntryFacts entry={shown} />
            </SidePanel>
          )
        }
      >
        <ResourceTable
          label={m.audit.title}
          identity={identity}
          list={list}
          columns={useColumns()}
          keyOf={({ seq }) => String(seq)}
          onOpen={({ seq }) => change({ entry: String(seq) })}
          empty={
            <Empty
              title={isFiltered ? m.list.noMatch : m.audit.none}
              actions={
                isFiltered ? (
                  <Button variant="default" onClick={() => change({ actor: undefined, objectName: undefined })}>
                    {m.list.clear}
                  </Button>
                ) : undefined
              }
            />
          }
        />
      </ListWithSide>
    </Page>
  );
}

function EntryFacts({ entry }: { readonly entry: AuditEntry }) {
  const m = useMessages();
  return (
    <>
      <Facts
        facts={[
          { name: m.audit.when, value: <Moment time={entry.time} /> },
          { name: m.audit.actor, value: `${entry.actor.name} (${entry.actor.type})` },
          entry.actor.address === undefined ? null : { name: m.audit.address, value: entry.actor.address },
          { name: m.audit.object, value: `${entry.objectKind} ${entry.objectName}` },
          { name: m.audit.hash, value: <code>{entry.hash}</code> },
        ]}
      />
      <pre style={{ whiteSpace: "pre-wrap" }}>{JSON.stringify(entry.body, null, 2)}</pre>
    </>
  );
}

function useColumns(): readonly Column<AuditEntry>[] {
  const m = useMessages();
  return useMemo(
    () => [
      {
        id: "action",
        header: m.audit.action,
        width: "minmax(130px, 2fr)",
        cell: ({ seq, action }) => (
          <route.Link to="/audit" search={(now) => ({ ...now, entry: String(seq) })} className={css.link} tabIndex={-1}>
            {action}
          </route.Link>
        ),
      },
      {
        id: "object",
        header: m.audit.object,
        width: "minmax(120px, 3fr)",
        cell: ({ objectKind, objectName }) => `${objectKind} ${objectName}`,
      },
      { id: "actor", header: m.audit.actor, width: "minmax(90px, 2fr)", wide: true, cell: ({ actor }) => actor.name },
      {
        id: "address",
        header: m.audit.address,
        width: "130px",
        wide: true,
        cell: ({ actor }) => actor.address ?? "–",
      },
      { id: "when", header: m.audit.when, width: "110px", align: "end", cell: ({ time }) => <Ago time={time} /> },
    ],
    [m],
  );
}
