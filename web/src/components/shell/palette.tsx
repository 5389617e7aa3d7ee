import { TextInput } from "@mantine/core";
import { IconBox, IconClock, IconPlus, IconSearch, IconTopologyStar3 } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useDeferredValue, useId, useState } from "react";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { useApi } from "../../api/use-api.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { matchesWords } from "../../lib/match-words.ts";
import { withSpelling } from "../../lib/pinyin.ts";
import { noteRecent, readRecents } from "../../lib/recents.ts";
import { Dialog } from "../dialogs/dialog.tsx";
import { Status } from "../status/status.tsx";
import { JOB_LOOKS, PHASE_LOOKS } from "../status/status-look.ts";
import type { NavItem } from "./nav-item.ts";
import css from "./shell.module.css";

interface PaletteProps {
  readonly nav: readonly NavItem[];
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Anywhere to anything: clusters, jobs, pages, by a few letters of their name. */
export function Palette({ nav, opened, onClose }: PaletteProps) {
  const m = useMessages();
  return (
    <Dialog title={m.palette.title} opened={opened} onClose={onClose} size="lg">
      {opened ? <PaletteBody nav={nav} onClose={onClose} /> : null}
    </Dialog>
  );
}

function PaletteBody({ nav, onClose }: Omit<PaletteProps, "opened">) {
  const m = useMessages();
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const options = useOptions(nav, text);
  const choose = (index: number) => {
    const option = options[index];
    if (option === undefined) return;
    noteRecent({ to: option.to, label: option.label });
    onClose();
    void navigate({ to: option.to as string });
  };
  const hear = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") choose(at);
    if (step === undefined || options.length === 0) return;
    event.preventDefault();
    const next = (at + step + options.length) % options.length;
    setAt(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
  };
  return (
    <div className={css.palette}>
      <TextInput
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={options.length === 0 ? undefined : `${id}-${at}`}
        aria-label={m.palette.open}
        placeholder={m.palette.open}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={hear}
      />
      <div className={css.options} id={`${id}-list`} role="listbox" aria-label={m.palette.title}>
        {options.map(({ key, icon, label, note, status }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the field that controls the list
          <div
            key={key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={css.option}
            onMouseMove={() => setAt(index)}
            onClick={() => choose(index)}
          >
            {icon}
            <span className={css.optionLabel}>{label}</span>
            {status}
            <span className={css.optionNote}>{note}</span>
          </div>
        ))}
      </div>
      <p role="status" className="visually-hidden">
        {m.palette.found(options.length)}
      </p>
      {options.length === 0 ? <p className={css.optionNote}>{m.palette.nothing}</p> : null}
    </div>
  );
}

interface Option {
  readonly key: string;
  readonly to: string;
  readonly icon: React.ReactNode;
  readonly label: string;
  readonly note: string;
  readonly status?: React.ReactNode;
}

function useOptions(nav: readonly NavItem[], text: string): readonly Option[] {
  const m = useMessages();
  const search = useDeferredValue(text.trim());
  const pages = usePages(nav);
  const { clusters, jobs } = useObjects(search);
  const matches = ({ label, to }: Option) => matchesWords(`${withSpelling(label, m.palette.syllables)} ${to}`, search);
  if (search !== "") return [...clusters, ...pages.filter(matches), ...jobs.filter(matches).slice(0, 5)];
  const recents = readRecents().map(({ to, label }) => ({
    ...{ key: `recent ${to}`, to, label, note: m.palette.recent, icon: <IconClock size={18} aria-hidden /> },
  }));
  return [
    ...recents,
    ...pages.filter(({ key }) => !key.startsWith("part ")),
    ...clusters.slice(0, 4),
    ...jobs.slice(0, 5),
  ];
}

/** The pages, their parts, and what can be begun from anywhere. */
function usePages(nav: readonly NavItem[]): readonly Option[] {
  const m = useMessages();
  const { may } = useSession();
  const pages = nav.flatMap(({ to, icon: Icon, label, keys, parts = [] }) => {
    const icon = <Icon size={18} aria-hidden />;
    const allowed = parts.filter(({ role }) => role === undefined || may(role));
    return [
      { key: to, to, icon, label: label(m), note: keys ?? "" },
      ...allowed.map((part) => ({ key: `part ${part.to}`, to: part.to, icon, label: part.label(m), note: "" })),
    ];
  });
  if (!may("operator")) return pages;
  const create = { key: "create", to: "/clusters/new", label: m.keys.create, note: m.palette.action };
  return [...pages, { ...create, icon: <IconPlus size={18} aria-hidden /> }];
}

function useObjects(search: string): { readonly clusters: readonly Option[]; readonly jobs: readonly Option[] } {
  const m = useMessages();
  const clusters = useApi(
    KEYS.clusterPages,
    "clusters",
    "listClusters",
    { query: { search: search === "" ? undefined : search, limit: 8 } },
    { keep: true },
  );
  const jobs = useApi(KEYS.jobPages, "jobs", "listJobs", { query: { limit: 20 } }, { keep: true });
  return {
    clusters: (clusters.data?.items ?? []).map(({ metadata: { name }, status }) => ({
      key: `cluster ${name}`,
      to: `/clusters/${name}/overview`,
      icon: <IconBox size={18} aria-hidden />,
      label: name,
      note: m.palette.cluster,
      status: <Status look={PHASE_LOOKS[status?.phase ?? "Unknown"]}>{m.phases[status?.phase ?? "Unknown"]}</Status>,
    })),
    jobs: (jobs.data?.items ?? []).map((job) => ({
      key: job.id,
      to: `/jobs/${job.id}`,
      icon: <IconTopologyStar3 size={18} aria-hidden />,
      label: m.jobs.title(m.jobKinds[job.kind], job.cluster, job.number),
      note: m.palette.job,
      status: <Status look={JOB_LOOKS[job.state]}>{m.jobStates[job.state]}</Status>,
    })),
  };
}
