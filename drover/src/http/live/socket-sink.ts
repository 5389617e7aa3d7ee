import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { systemTimer } from "../../ports/timer.ts";
import type { CutReason, Sink } from "./sink.ts";

const CLOSE_CODES: Readonly<Record<CutReason, number>> = { revoked: 4401, restart: 1012, stalled: 1008 };
const NORMAL_CLOSE = 1000;
const GOODBYE_MS = 500;

/**
 * A WebSocket that is only written to. Frames go to the connection as they are: they are the same for all viewers, and
 * the library, which would build each anew for each viewer, writes only whole frames of its own in between.
 */
export function openSocketSink(webSocket: WebSocket, connection: Socket): Sink {
  connection.setNoDelay(true).setKeepAlive(true, 60_000);
  return {
    get buffered() {
      return connection.writableLength;
    },
    write: (bytes) => {
      if (webSocket.readyState === webSocket.OPEN) connection.write(bytes);
    },
    onceDrained: (callback) => void connection.once("drain", callback),
    onceClosed: (callback) => {
      if (webSocket.readyState === webSocket.CLOSED) callback();
      else webSocket.once("close", callback);
    },
    finish: () => webSocket.close(NORMAL_CLOSE, "end"),
    cut: (reason) => {
      if (connection.writableLength > 0) {
        webSocket.terminate();
        return;
      }
      webSocket.close(CLOSE_CODES[reason], reason);
      const callOff = systemTimer.after(GOODBYE_MS, () => webSocket.terminate());
      webSocket.once("close", callOff);
    },
  };
}
