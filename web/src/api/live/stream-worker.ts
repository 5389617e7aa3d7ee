/// <reference lib="webworker" />
import { EventStream } from "./event-stream.ts";
import type { FromStream, ToStream } from "./messages.ts";

/** One stream for all pages of a browser: a server is asked once, and six open tabs do not use up its connections. */
const pages = new Set<MessagePort>();

const stream = new EventStream({
  send: (message: FromStream) => {
    for (const page of pages) page.postMessage(message);
  },
});

function take(page: MessagePort, message: ToStream): void {
  if (message.type === "bye") {
    pages.delete(page);
    if (pages.size === 0) stream.close();
    return;
  }
  if (message.type === "hello") stream.tellState((state) => page.postMessage(state));
  stream.connect();
}

const scope = globalThis as unknown as SharedWorkerGlobalScope;
scope.onconnect = ({ ports: [page] }) => {
  if (page === undefined) return;
  pages.add(page);
  page.onmessage = ({ data }: MessageEvent<ToStream>) => take(page, data);
};
