import { ActionIcon, Checkbox, TextInput } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconDownload, IconSearch } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { addressOf } from "../../api/client.ts";
import { LogRows } from "../../api/log/log-rows.ts";
import type { FollowState, LogFilter } from "../../api/log/log-socket.ts";
import type { LogLine } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useApi } from "../../api/use-api.ts";
import { useFormat } from "../../i18n/use-format.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { stripAnsi } from "../../lib/ansi.ts";
import { Dialog } from "../dialogs/dialog.tsx";
import { ErrorPanel } from "../feedback/error-panel.tsx";
import { Bones } from "../feedback/states.tsx";
import css from "./log.module.css";
import { LogText, SHOWN_CHARACTERS } from "./log-text.tsx";

const LINE_PX = 20;

export interface LogViewProps {
  readonly jobId: string;
  readonly filter: LogFilter;
  /** The line that the address points to. */
  readonly line: number | null;
  readonly onLine: (line: number) => void;
  /** Lines of all steps, since a hit may be in any of them. */
  readonly onShowAll: () => void;
  /** Stands before the search: what chooses the step or host. */
  readonly tools?: ReactNode;
}

/** The log of a job: stored lines first, then live; searched by the server, linked by line, never cleared. */
export function LogView({ jobId, filter, line, onLine, onShowAll, tools }: LogViewProps) {
  const m = useMessages();
  const { step, host } = filter;
  const rows = useMemo(() => new LogRows(jobId, { step, host }), [jobId, step, host]);
  const { count, follow, error, isLoading } = useSyncExternalStore(rows.subscribe, rows.snapshot);
  const scroll = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(line === null);
  useEffect(() => {
    void rows.start(line ?? (isFollowing ? "last" : "first"));
    return () => rows.stop();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only where reading begins; later `want` says what is looked at
  }, [rows]);
  const [whole, setWhole] = useState<LogLine | null>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => LINE_PX,
    overscan: 30,
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => rows.want(first, last), [rows, first, last]);
  useEffect(() => {
    if (isFollowing && count > 0) virtual.scrollToIndex(count - 1, { align: "end" });
  }, [isFollowing, count, virtual]);
  const isFiltered = rows.isFiltered;
  const isEmpty = count === 0;
  useEffect(() => {
    if (line === null || isEmpty || isFiltered) return;
    setFollowing(false);
    virtual.scrollToIndex(line - 1, { align: "center" });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- goes there when the address changes, and once lines are there
  }, [line, isFiltered, isEmpty]);
  const search = useLogSearch(jobId, (found) => {
    if (isFiltered) onShowAll();
    onLine(found);
  });
  return (
    <div className={css.log}>
      <div className={css.tools}>
        {tools}
        {search.box}
        <Checkbox
          size="xs"
          label={m.log.follow}
          checked={isFollowing}
          onChange={(event) => setFollowing(event.currentTarget.checked)}
        />
        <ActionIcon
          component="a"
          variant="subtle"
          color="gray"
          href={addressOf("logs", "readLog", { params: { id: jobId }, query: { limit: 10_000, step, host } })}
          download={`${jobId}.log.json`}
          aria-label={m.log.download}
          title={m.log.download}
        >
          <IconDownload size={16} aria-hidden />
        </ActionIcon>
      </div>
      {error === null ? null : <ErrorPanel error={error} onRetry={() => rows.want(first, last)} />}
      {isLoading ? <Bones rows={6} /> : null}
      <div
        ref={scroll}
        className={css.scroll}
        role="log"
        aria-label={m.log.title}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onWheel={(event) => event.deltaY < 0 && setFollowing(false)}
        onKeyDown={(event) => ["ArrowUp", "PageUp", "Home"].includes(event.key) && setFollowing(false)}
      >
        <div
          className={css.lines}
          style={{ height: virtual.getTotalSize(), "--digits": `${String(count).length + 3}ch` } as React.CSSProperties}
        >
          {items.map(({ index, start }) => (
            <Row
              key={index}
              row={rows.row(index)}
              top={start}
              marked={line !== null && rows.row(index)?.line === line}
              search={search.text}
              onLine={onLine}
              onWhole={setWhole}
            />
          ))}
        </div>
      </div>
      <Foot count={count} follow={follow} />
      <Dialog title={m.log.line(whole?.line ?? 0)} opened={whole !== null} onClose={() => setWhole(null)} size="xl">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre className={css.whole} tabIndex={0}>
          {stripAnsi(whole?.text ?? "")}
        </pre>
      </Dialog>
    </div>
  );
}

interface RowProps {
  readonly row: LogLine | undefined;
  readonly top: number;
  readonly marked: boolean;
  readonly search: string;
  readonly onLine: (line: number) => void;
  readonly onWhole: (line: LogLine) => void;
}

function Row({ row, top, marked, search, onLine, onWhole }: RowProps) {
  const m = useMessages();
  const format = useFormat();
  const style = { transform: `translateY(${top}px)` };
  if (row === undefined) return <div className={css.line} style={style} />;
  return (
    <div className={css.line} style={style} data-marked={marked} data-stream={row.stream}>
      <a
        className={css.number}
        href={`#L${row.line}`}
        tabIndex={-1}
        aria-label={m.log.line(row.line)}
        onClick={(event) => {
          event.preventDefault();
          onLine(row.line);
        }}
      >
        {row.line}
      </a>
      <span className={css.time}>{format.clock(row.time)}</span>
      <span className={css.text}>
        <LogText text={row.text} search={search} />
        {row.text.length > SHOWN_CHARACTERS ? (
          <button type="button" className={css.more} onClick={() => onWhole(row)}>
            {m.log.whole(format.number(row.text.length))}
          </button>
        ) : null}
      </span>
    </div>
  );
}

function Foot({ count, follow }: { readonly count: number; readonly follow: FollowState }) {
  const m = useMessages();
  return (
    <div className={css.foot} role="status">
      <span>{m.log.lines(count)}</span>
      <span>{m.log.states[follow.state]}</span>
      {follow.resumedAt === null ? null : <span>{m.log.resumed(follow.resumedAt)}</span>}
    </div>
  );
}

/** Finds a text in the whole log, whatever part of it is loaded, and walks from hit to hit. */
function useLogSearch(jobId: string, onHit: (line: number) => void) {
  const m = useMessages();
  const format = useFormat();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const wanted = useDeferredValue(text.trim());
  const query = useApi(
    KEYS.job(jobId),
    "logs",
    "searchLog",
    { params: { id: jobId }, query: { text: wanted, limit: 10_000 } },
    { enabled: wanted !== "", keep: true },
  );
  const hits = wanted === "" ? [] : (query.data?.lines ?? []);
  const go = (step: number) => {
    const next = (at + step + hits.length) % Math.max(1, hits.length);
    const hit = hits[next];
    if (hit === undefined) return;
    setAt(next);
    onHit(hit.line);
  };
  const box = (
    <>
      <TextInput
        className={css.search ?? ""}
        size="xs"
        aria-label={m.log.search}
        placeholder={m.log.search}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(-1);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing) go(event.shiftKey ? -1 : 1);
        }}
      />
      {wanted === "" ? null : (
        <>
          <span className={css.hits} role="status">
            {m.log.hits(format.number(query.data?.total ?? 0))}
          </span>
          <ActionIcon variant="subtle" color="gray" aria-label={m.log.previous} onClick={() => go(-1)}>
            <IconChevronUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" aria-label={m.log.next} onClick={() => go(1)}>
            <IconChevronDown size={16} aria-hidden />
          </ActionIcon>
        </>
      )}
    </>
  );
  return { box, text: wanted };
}
