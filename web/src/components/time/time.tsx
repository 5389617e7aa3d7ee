import { type PointerEvent, useMemo } from "react";
import { useFormat } from "../../i18n/use-format.ts";
import { formatStopwatch } from "../../lib/duration.ts";
import { useNow } from "./use-now.ts";

/** How long ago, with the moment itself on hover. */
export function Ago({ time }: { readonly time: string | number }) {
  const format = useFormat();
  const now = useNow();
  const date = useMemo(() => new Date(time), [time]);
  // Written out only when somebody points at it: lists have thousands of these.
  const tell = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.title = format.moment(date.getTime());
  };
  return (
    <time dateTime={date.toISOString()} onPointerEnter={tell}>
      {format.ago(now - date.getTime())}
    </time>
  );
}

export function Moment({ time }: { readonly time: string }) {
  const format = useFormat();
  return <time dateTime={time}>{format.moment(time)}</time>;
}

/** How long something took, or takes so far. */
export function Took({ from, to }: { readonly from: string; readonly to: string | null }) {
  const now = useNow();
  const end = to === null ? Math.max(now, new Date(from).getTime()) : new Date(to).getTime();
  return <span>{formatStopwatch(end - new Date(from).getTime())}</span>;
}
