import { Button, Popover } from "@mantine/core";
import { useLive } from "../../api/live/use-live.tsx";
import { useSession } from "../../api/session.tsx";
import { useFormat } from "../../i18n/use-format.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { toneClass } from "../status/status.tsx";
import type { Tone } from "../status/status-look.ts";
import { Ago } from "../time/time.tsx";
import { useNow } from "../time/use-now.ts";
import css from "./shell.module.css";

/** Without a sign of life for so long, what is shown may be old. The server gives one every 15 seconds. */
const STALE_MS = 30_000;

/** Whether what is on the screen is live, and if not, how old. */
export function FreshnessChip() {
  const m = useMessages();
  const format = useFormat();
  const now = useNow();
  const { state, heardAt, failures, tryNow } = useLive();
  const { snapshotTime } = useSession();
  const age = heardAt === null ? null : now - heardAt;
  const isStale = age !== null && age > STALE_MS;
  const isLive = state === "live" && !isStale;
  const tone: Tone = snapshotTime !== null ? "warn" : isLive ? "good" : state === "connecting" ? "idle" : "warn";
  const word = snapshotTime !== null ? m.live.snapshot : isStale && state === "live" ? m.live.stale : m.live[state];
  return (
    <Popover position="bottom-end" width={280} shadow="md">
      <Popover.Target>
        <button type="button" className={`${css.chip} ${toneClass(tone)}`}>
          <span className={css.dot} aria-hidden />
          <span>{word}</span>
          {isLive || age === null ? null : <span className={css.chipAge}>{format.span(age)}</span>}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={css.freshness}>
          <p>{isLive ? m.live.liveText : m.live.notLiveText}</p>
          {snapshotTime === null ? null : <p>{m.live.snapshotText(format.moment(snapshotTime))}</p>}
          {heardAt === null ? null : (
            <p>
              {m.live.heard} <Ago time={heardAt} />
            </p>
          )}
          {failures === 0 ? null : (
            <Button size="xs" variant="default" onClick={tryNow}>
              {m.live.tryNow}
            </Button>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
