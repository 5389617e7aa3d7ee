import { backoffMs } from "../../lib/backoff.ts";
import { addressOf } from "../client.ts";
import type { LogLine } from "../objects.ts";

/** Which lines of a log are wanted. */
export interface LogFilter {
  readonly step?: string | undefined;
  readonly host?: string | undefined;
}

/** `resumed`: how many breaks there were, and behind which line the last one went on. */
export interface FollowState {
  readonly state: "connecting" | "live" | "waiting" | "ended";
  readonly resumes: number;
  readonly resumedAt: number | null;
}

type Message =
  | { readonly type: "hello"; readonly after: number }
  | { readonly type: "lines"; readonly lines: readonly LogLine[] }
  | { readonly type: "end"; readonly state: string | null; readonly last: number };

export interface LogSocketParts {
  readonly jobId: string;
  readonly filter: LogFilter;
  /** The first line that is wanted. */
  readonly from: number;
  readonly onLines: (lines: readonly LogLine[]) => void;
  readonly onState: (state: FollowState) => void;
  readonly open?: (address: string) => WebSocket;
}

const openSocket = (address: string) => new WebSocket(new URL(address, location.href.replace(/^http/, "ws")));

/** Follows a log from a line on. After a break it goes on with the line behind the last one it got: none is lost. */
export class LogSocket {
  readonly #parts: LogSocketParts;
  #next: number;
  #failures = 0;
  #resumes = 0;
  #resumedAt: number | null = null;
  #socket: WebSocket | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(parts: LogSocketParts) {
    this.#parts = parts;
    this.#next = parts.from;
    this.#connect();
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#retry);
    this.#socket?.close();
  }

  #connect(): void {
    const { jobId, filter, open = openSocket } = this.#parts;
    this.#tell(this.#failures === 0 ? "connecting" : "waiting");
    const socket = open(
      addressOf("logs", "openLogSocket", { params: { id: jobId }, query: { from: this.#next, ...filter } }),
    );
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(String(data)) as Message);
    socket.onclose = () => this.#lose(socket);
  }

  #hear(message: Message): void {
    if (message.type === "end") {
      this.#isOver = true;
      this.#tell("ended");
      return;
    }
    if (this.#failures > 0) {
      this.#resumes += 1;
      this.#resumedAt = this.#next;
    }
    this.#failures = 0;
    if (message.type === "lines") {
      this.#next = Math.max(this.#next, ...message.lines.map(({ line }) => line + 1));
      this.#parts.onLines(message.lines);
    }
    this.#tell("live");
  }

  #lose(socket: WebSocket): void {
    if (this.#isOver || this.#socket !== socket) return;
    this.#failures += 1;
    this.#tell("waiting");
    this.#retry = setTimeout(() => this.#connect(), backoffMs(this.#failures));
  }

  #tell(state: FollowState["state"]): void {
    if (this.#isOver && state !== "ended") return;
    this.#parts.onState({ state, resumes: this.#resumes, resumedAt: this.#resumedAt });
  }
}
