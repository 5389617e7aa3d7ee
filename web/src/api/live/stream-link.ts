import { EventStream } from "./event-stream.ts";
import type { FromStream, ToStream } from "./messages.ts";

/** The way from a page to the stream that all pages of the browser share. */
export interface StreamLink {
  connect(): void;
  close(): void;
}

/** By a SharedWorker; where there is none, by the one page that holds a lock; else by a stream of its own. */
export function openStreamLink(hear: (message: FromStream) => void): StreamLink {
  if (typeof SharedWorker === "function") return linkByWorker(hear);
  if ("locks" in navigator && typeof BroadcastChannel === "function") return linkByLock(hear);
  return linkAlone(hear);
}

function linkByWorker(hear: (message: FromStream) => void): StreamLink {
  const worker = new SharedWorker(new URL("./stream-worker.ts", import.meta.url), { type: "module", name: "drover" });
  const tell = (message: ToStream) => worker.port.postMessage(message);
  worker.port.onmessage = ({ data }: MessageEvent<FromStream>) => hear(data);
  tell({ type: "hello" });
  return {
    connect: () => tell({ type: "connect" }),
    close: () => {
      tell({ type: "bye" });
      worker.port.close();
    },
  };
}

const NAME = "drover-stream";

/** The page that gets the lock reads the stream and tells the others; when it goes, the next one gets the lock. */
export function linkByLock(hear: (message: FromStream) => void): StreamLink {
  const channel = new BroadcastChannel(NAME);
  const closed = new AbortController();
  let own: EventStream | undefined;
  channel.onmessage = ({ data }: MessageEvent<FromStream | ToStream>) => {
    if (data.type === "hello") own?.tellState();
    else if (data.type === "connect") own?.connect();
    else if (data.type !== "bye") hear(data);
  };
  const lead = async () => {
    own = new EventStream({
      send: (message) => {
        hear(message);
        channel.postMessage(message);
      },
    });
    own.connect();
    await new Promise<void>((resolve) => closed.signal.addEventListener("abort", () => resolve()));
    own.close();
  };
  void navigator.locks.request(NAME, { signal: closed.signal }, lead).catch(() => undefined);
  channel.postMessage({ type: "hello" } satisfies ToStream);
  return {
    connect: () => (own === undefined ? channel.postMessage({ type: "connect" } satisfies ToStream) : own.connect()),
    close: () => {
      closed.abort();
      channel.close();
    },
  };
}

function linkAlone(hear: (message: FromStream) => void): StreamLink {
  const stream = new EventStream({ send: hear });
  stream.connect();
  return { connect: () => stream.connect(), close: () => stream.close() };
}
