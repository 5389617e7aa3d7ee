import { TextInput } from "@mantine/core";
import { IconBox, IconClock, IconPlus, IconSearch, IconTopologyStar3 } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useState } from "react";
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
  const { options, isComplete } = useOptions(nav, text);
  // Enter was pressed before everything that fits what was typed had been found.
  const [isWaiting, setWaiting] = useState(false);
  const choose = (index: number) => {
    if (!isComplete) return setWaiting(true);
    const option = options[index];
    if (option === undefined) return;
    noteRecent({ to: option.to, label: option.label });
    onClose();
    void navigate({ to: option.to as string });
  };
  useEffect(() => {
    if (!isWaiting || !isComplete) return;
    setWaiting(false);
    choose(at);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when everything that fits has been found
  }, [isWaiting, isComplete]);
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
          setWaiting(false);
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

interface Found {
  readonly options: readonly Option[];
  /** They are all that fits the text as it is now, not what fitted before its last letters. */
  readonly isComplete: boolean;
}

function useOptions(nav: readonly NavItem[], text: string): Found {
  const m = useMessages();
  const search = useDeferredValue(text.trim());
  const pages = usePages(nav);
  const { clusters, jobs, isRead } = useObjects(search);
  const isComplete = isRead && search === text.trim();
  const matches = ({ label, to }: Option) => matchesWords(`${withSpelling(label, m.palette.syllables)} ${to}`, search);
  if (search !== "") {
    const found = [...clusters, ...pages.filter(matches), ...jobs.filter(matches).slice(0, 5)];
    const isExact = ({ label }: Option) => label.toLowerCase() === search.toLowerCase();
    return { options: [...found.filter(isExact), ...found.filter((one) => !isExact(one))], isComplete };
  }
  const recents = readRecents().map(({ to, label }) => ({
    ...{ key: `recent ${to}`, to, label, note: m.palette.recent, icon: <IconClock size={18} aria-hidden /> },
  }));
  const begun = [
    ...recents,
    ...pages.filter(({ key }) => !key.startsWith("part ")),
    ...clusters.slice(0, 4),
    ...jobs.slice(0, 5),
  ];
  return { options: begun, isComplete };
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

interface Objects {
  readonly clusters: readonly Option[];
  readonly jobs: readonly Option[];
  /** What was asked for was answered, by an error if need be. */
  readonly isRead: boolean;
}

function useObjects(search: string): Objects {
  const m = useMessages();
  const clusters = useApi(
    KEYS.clusterPages,
    "clusters",
    "listClusters",
    { query: { search: search === "" ? undefined : search, limit: 8 } },
    { keep: true },
  );
  const jobs = useApi(KEYS.jobPages, "jobs", "listJobs", { query: { limit: 20 } }, { keep: true });
  const isAnswered = ({ isPending, isPlaceholderData, isFetching }: typeof clusters | typeof jobs) =>
    !isFetching || !(isPending || isPlaceholderData);
  return {
    isRead: isAnswered(clusters) && isAnswered(jobs),
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
