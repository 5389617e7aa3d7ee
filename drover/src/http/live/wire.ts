import type { Json } from "../../ports/store/index.ts";
import { RETRY_MS, sseBlock } from "./sse.ts";
import { frameText, PING_FRAME } from "./websocket-frame.ts";

/** What a stream says beside its items. */
export interface Wire {
  /** Said first: where the viewer begins, so that it can come back to there even if nothing happens. */
  hello(place: number): Buffer;
  /** Said now and then, to viewers that have seen everything up to `place`. */
  heartbeat(place: number): Buffer;
  /** The place that was asked for is not kept any more; it goes on after this one. */
  reset(place: number): Buffer;
  /** Nothing will ever follow. */
  end(ending: Json): Buffer;
}

const block = (parts: Parameters<typeof sseBlock>[0]): Buffer => Buffer.from(sseBlock(parts));

export const sseWire: Wire = {
  hello: (place) => block({ retry: RETRY_MS, id: place }),
  heartbeat: (place) => Buffer.from(`: still here\n${sseBlock({ id: place })}`),
  reset: (place) => block({ id: place, event: "reset", data: JSON.stringify({ cursor: place }) }),
  end: (ending) => block({ event: "end", data: JSON.stringify(ending) }),
};

const message = (type: string, facts: object): Buffer => frameText(JSON.stringify({ type, ...facts }));

export const socketWire: Wire = {
  hello: (place) => message("hello", { after: place }),
  heartbeat: () => PING_FRAME,
  reset: (place) => message("reset", { after: place }),
  end: (ending) => message("end", ending as object),
};
