import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { addressOf } from "../../api/client.ts";
import type { Machine } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { apiPage } from "../../api/use-api.ts";
import { MACHINE_STATE_NAMES } from "../../api/words.ts";
import { CopyAs } from "../../components/copy/copy-as.tsx";
import { Empty } from "../../components/feedback/states.tsx";
import { LabelList } from "../../components/labels/label-list.tsx";
import { Page } from "../../components/layout/page.tsx";
import { Facets } from "../../components/list/facets.tsx";
import { FilterBox } from "../../components/list/filter-box.tsx";
import css from "../../components/list/list.module.css";
import { type Column, ResourceTable } from "../../components/list/resource-table.tsx";
import { ListWithSide } from "../../components/list/side-panel.tsx";
import { useKeysetPages } from "../../components/list/use-keyset-pages.ts";
import { EnrollDialog } from "../../components/machines/enroll-dialog.tsx";
import { inGibibytes } from "../../components/machines/in-gibibytes.ts";
import { Status } from "../../components/status/status.tsx";
import { MACHINE_LOOKS } from "../../components/status/status-look.ts";
import { Ago } from "../../components/time/time.tsx";
import { objectToYaml } from "../../components/yaml/to-yaml.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { CheckDialog } from "./check-dialog.tsx";
import { MachinePanel } from "./machine-panel.tsx";
import type { MachineSearch } from "./search.ts";

const route = getRouteApi("/machines");

/** Linux machines that clusters can be made of. */
export function MachinesPage() {
  const m = useMessages();
  const { may } = useSession();
  const { q, state, machine: shown } = route.useSearch();
  const navigate = useNavigate({ from: "/machines" });
  const change = (next: Partial<MachineSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...next }), replace: true });
  const [open, setOpen] = useState<"enroll" | "check" | null>(null);
  const query = { search: q, state };
  const identity = JSON.stringify(query);
  const list = useKeysetPages(
    identity,
    (after) => apiPage(KEYS.machinePages, "machines", "listMachines", { query: { ...query, after } }),
    ({ name }) => name,
  );
  const enroll = may("operator") ? (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen("enroll")}>
      {m.machines.enroll}
    </Button>
  ) : null;
  const isFiltered = q !== undefined || state !== undefined;
  return (
    <Page
      title={m.machines.title}
      full
      actions={
        <>
          {enroll}
          <Button variant="default" onClick={() => setOpen("check")}>
            {m.machines.check}
          </Button>
          <CopyAs
            cli={["drover", "machine", "list"]}
            api={addressOf("machines", "listMachines", { query })}
            yaml={() => objectToYaml(list.rows)}
          />
        </>
      }
    >
      <div className={css.tools}>
        <FilterBox
          label={m.machines.filter}
          placeholder={m.machines.filter}
          value={q ?? ""}
          onChange={(text) => change({ q: text === "" ? undefined : text })}
        />
        <Facets
          label={m.machines.state}
          facets={MACHINE_STATE_NAMES.map((value) => ({
            value,
            label: m.machines.states[value],
            look: MACHINE_LOOKS[value],
          }))}
          chosen={state ?? []}
          onChange={(chosen) =>
            change({ state: chosen.length === 0 ? undefined : (chosen as typeof MACHINE_STATE_NAMES) })
          }
        />
      </div>
      <ListWithSide
        side={
          shown === undefined ? null : (
            <MachinePanel key={shown} name={shown} onClose={() => change({ machine: undefined })} />
          )
        }
      >
        <ResourceTable
          label={m.machines.title}
          identity={identity}
          list={list}
          columns={useColumns((name) => change({ machine: name }))}
          keyOf={({ name }) => name}
          onOpen={({ name }) => change({ machine: name })}
          empty={
            isFiltered ? (
              <Empty title={m.list.noMatch} />
            ) : (
              <Empty title={m.machines.none} text={m.machines.noneText} actions={enroll} />
            )
          }
        />
      </ListWithSide>
      {open === "enroll" ? <EnrollDialog onClose={() => setOpen(null)} /> : null}
      {open === "check" ? <CheckDialog onClose={() => setOpen(null)} /> : null}
    </Page>
  );
}

function useColumns(onShow: (name: string) => void): readonly Column<Machine>[] {
  const m = useMessages();
  return useMemo(
    () => [
      {
        id: "name",
        header: m.machines.name,
        width: "minmax(120px, 2fr)",
        cell: ({ name }) => (
          <button type="button" className={css.sort} tabIndex={-1} onClick={() => onShow(name)}>
            {name}
          </button>
        ),
      },
      {
        id: "state",
        header: m.machines.state,
        width: "150px",
        cell: ({ state }) => <Status look={MACHINE_LOOKS[state]}>{m.machines.states[state]}</Status>,
      },
      { id: "address", header: m.machines.address, width: "minmax(110px, 2fr)", cell: placeOf },
      {
        id: "system",
        header: m.machines.system,
        width: "minmax(90px, 1fr)",
        wide: true,
        cell: ({ facts }) => [facts?.os?.id, facts?.os?.version].filter(Boolean).join(" "),
      },
      { id: "cpu", header: m.machines.cpu, width: "60px", align: "end", wide: true, cell: ({ facts }) => facts?.cpus },
      {
        id: "memory",
        header: m.machines.memory,
        width: "90px",
        align: "end",
        wide: true,
        cell: ({ facts }) => inGibibytes(facts?.memoryBytes),
      },
      {
        id: "cluster",
        header: m.machines.usedBy,
        width: "minmax(90px, 1fr)",
        wide: true,
        cell: ({ usedBy }) => usedBy?.cluster,
      },
      {
        id: "labels",
        header: m.machines.labels,
        width: "minmax(100px, 2fr)",
        wide: true,
        cell: ({ labels }) => <LabelList labels={labels} />,
      },
      {
        id: "problems",
        header: m.machines.problems,
        width: "90px",
        align: "end",
        cell: ({ problems }) => (problems.length === 0 ? "–" : problems.length),
      },
      {
        id: "seen",
        header: m.machines.seen,
        width: "100px",
        align: "end",
        wide: true,
        cell: ({ factsTime }) => (factsTime === null ? "–" : <Ago time={factsTime} />),
      },
    ],
    [m, onShow],
  );
}

const placeOf = ({ address, port }: Machine): string => (port === 22 ? address : `${address}:${port}`);
