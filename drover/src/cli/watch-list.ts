import { eventRoutes } from "@drover/contract";
import { sleep, systemTimer } from "../ports/timer.ts";
import { followStream } from "./client/follow.ts";
import { LiveArea } from "./render/live-area.ts";
import { columnsFor, type Output, paintRow, renderData } from "./render/output.ts";
import { makeRow, type Row, renderRow, renderTable } from "./render/table.ts";
import { textWidth } from "./render/text-width.ts";
import type { AnyResource, Filter } from "./resources/resource.ts";
import type { Session } from "./session.ts";

interface Watch {
  readonly resource: AnyResource;
  readonly filter: Filter;
  readonly output: Output;
}

/** Changes that come together are shown together. */
const GATHER_MS = 100;
/** Ages move on even when nothing else does. */
const REDRAW_MS = 5_000;

/**
 * A list that follows what happens, by the event stream: an event says which cluster to ask for again. On a screen the
 * table is drawn in place; elsewhere each change is one line. Goes on through restarts of the server until Ctrl+C.
 */
export async function watchList(session: Session, watch: Watch): Promise<number> {
  const stopped = new AbortController();
  const unlisten = session.terminal.onInterrupt(() => stopped.abort());
  const list = new WatchedList(session, watch);
  const { selector, names } = watch.filter;
  const [only] = names.length === 1 ? names : [];
  let failure: unknown = null;
  const fail = (error: unknown) => {
    failure ??= error;
    stopped.abort();
  };
  const showing = list.showUntil(stopped.signal).catch(fail);
  await followStream({
    signal: stopped.signal,
    open: async (lastEventId, signal) => {
      const headers = {
        accept: "text/event-stream",
        ...(lastEventId === null ? {} : { "last-event-id": lastEventId }),
      };
      const response = await session.client.open(eventRoutes.streamEvents, {
        query: { selector, cluster: watch.resource.kind === "cluster" ? only : undefined },
        headers,
        signal,
      });
      // Only now is nothing missed between the list and the first event.
      if (lastEventId === null) list.markAll();
      return response;
    },
    onEvent: ({ event, data }) => {
      if (event === "reset") list.markAll();
      else if (event === "message") list.mark((JSON.parse(data) as { readonly cluster: string | null }).cluster);
      return false;
    },
    onLost: (why) => list.say(`Connection lost (${why}). Trying again …\n`),
    onResumed: () => list.say("Connection is back: resumed behind the last event, 0 lost.\n"),
  }).catch(fail);
  stopped.abort();
  await showing;
  unlisten();
  if (failure !== null) throw failure;
  return 0;
}

class WatchedList {
  readonly #session: Session;
  readonly #watch: Watch;
  readonly #area: LiveArea | null;
  #items: readonly unknown[] = [];
  #shown = new Map<string, string>();
  #widths: readonly number[] | null = null;
  #dirty = new Set<string>();
  #allDirty = false;

  constructor(session: Session, watch: Watch) {
    // The stream says when the connection is lost; saying it twice would only tear the table.
    this.#session = { ...session, client: session.client.impatiently() };
    this.#watch = watch;
    const { terminal } = session;
    const isTable = watch.output === "table" || watch.output === "wide";
    this.#area = terminal.outIsScreen && isTable ? new LiveArea(terminal.out, terminal.columns) : null;
  }

  mark(cluster: string | null): void {
    if (cluster !== null) this.#dirty.add(cluster);
  }

  markAll(): void {
    this.#allDirty = true;
  }

  say(text: string): void {
    if (this.#area === null) this.#session.terminal.err(text);
    else this.#area.say(text);
  }

  async showUntil(signal: AbortSignal): Promise<void> {
    let drawn = 0;
    while (!signal.aborted) {
      await sleep(systemTimer, GATHER_MS, signal);
      const isNews = this.#allDirty || this.#dirty.size > 0;
      if (isNews) await this.#ask();
      if (isNews || (this.#area !== null && Date.now() - drawn > REDRAW_MS)) {
        this.#show();
        drawn = Date.now();
      }
    }
  }

  async #ask(): Promise<void> {
    const { client } = this.#session;
    const { resource, filter } = this.#watch;
    const dirty = this.#dirty;
    const all = this.#allDirty || dirty.size > 20;
    this.#dirty = new Set();
    this.#allDirty = false;
    try {
      if (all) this.#items = await resource.list(client, filter);
      else for (const cluster of dirty) await this.#askFor(cluster);
    } catch (error) {
      if ((error as Error).name !== "ConnectionError") throw error;
      // The stream says that the connection is lost; what was to be asked for is asked for when it is back.
      this.#allDirty = true;
    }
  }

  async #askFor(cluster: string): Promise<void> {
    const { resource, filter } = this.#watch;
    const fresh = (await resource.watch?.(this.#session.client, cluster, filter)) ?? [];
    const others = this.#items.filter((item) => resource.clusterOf?.(item) !== cluster);
    const at = this.#items.findIndex((item) => resource.clusterOf?.(item) === cluster);
    this.#items = at === -1 ? [...fresh, ...others] : others.toSpliced(Math.min(at, others.length), 0, ...fresh);
    if (resource.kind === "cluster") {
      this.#items = this.#items.toSorted((a, b) => (resource.nameOf(a) < resource.nameOf(b) ? -1 : 1));
    }
  }

  #show(): void {
    if (this.#area === null) this.#showChanges();
    else this.#area.draw(this.#drawTable());
  }

  #rows(): { readonly titles: Row; readonly rows: readonly Row[] } {
    const columns = columnsFor(this.#watch.resource.columns, this.#watch.output);
    const rows = this.#items.map((item) => makeRow(columns, item));
    return { titles: columns.map(({ title }) => title), rows };
  }

  #drawTable(): readonly string[] {
    const { titles, rows } = this.#rows();
    const room = Math.max(3, this.#session.terminal.rows() - 2);
    const kept = rows.length > room ? rows.slice(0, room - 1) : rows;
    const lines = renderTable(
      titles,
      kept.map((row) => paintRow(row, this.#session.colours)),
    )
      .trimEnd()
      .split("\n");
    return kept.length === rows.length ? lines : [...lines, `… and ${rows.length - kept.length} more`];
  }

  /** One line for each thing that is new, changed or gone since the last time. */
  #showChanges(): void {
    const { terminal } = this.#session;
    const { resource, output } = this.#watch;
    const { titles, rows } = this.#rows();
    this.#widths ??= titles.map((title, at) =>
      Math.max(textWidth(title), 8, ...rows.map((row) => textWidth(row[at] ?? ""))),
    );
    const isTable = output === "table" || output === "wide";
    if (isTable && this.#shown.size === 0 && this.#items.length > 0)
      terminal.out(`${renderRow(titles, this.#widths)}\n`);
    const steady = columnsFor(this.#watch.resource.columns, output).filter(({ moves }) => moves !== true);
    const seen = new Map<string, string>();
    for (const [at, item] of this.#items.entries()) {
      const name: string = resource.nameOf(item);
      const content = JSON.stringify(item);
      // What cannot be seen is no news, and neither is that time goes on.
      const news = isTable ? JSON.stringify(makeRow(steady, item)) : content;
      seen.set(name, news);
      if (this.#shown.get(name) === news) continue;
      if (isTable) terminal.out(`${renderRow(rows[at] ?? [], this.#widths)}\n`);
      else if (output === "name") terminal.out(`${resource.kind}/${name}\n`);
      else terminal.out(output === "json" ? `${content}\n` : `---\n${renderData(item, "yaml")}`);
    }
    for (const name of this.#shown.keys()) {
      if (!seen.has(name) && isTable) terminal.out(`${renderRow([name, "gone"], this.#widths)}\n`);
    }
    this.#shown = seen;
  }
}
