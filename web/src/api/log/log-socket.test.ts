import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type FollowState, LogSocket } from "./log-socket.ts";

class FakeSocket {
  readonly address: string;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor(address: string) {
    this.address = address;
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  close(): void {
    this.onclose?.();
  }
}

const line = (number: number) => ({ line: number, time: "", step: "s", host: "local", stream: "stdout", text: "x" });

function follow() {
  const sockets: FakeSocket[] = [];
  const lines: number[] = [];
  const states: FollowState[] = [];
  const socket = new LogSocket({
    ...{ jobId: "j", filter: {}, from: 1 },
    onLines: (more) => lines.push(...more.map(({ line: number }) => number)),
    onState: (state) => states.push(state),
    open: (address) => {
      const made = new FakeSocket(address);
      sockets.push(made);
      return made as unknown as WebSocket;
    },
  });
  return { socket, sockets, lines, states };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("goes on behind the last line after a break, and says so", () => {
  const { sockets, lines, states } = follow();
  sockets[0]?.say({ type: "hello", after: 0 });
  sockets[0]?.say({ type: "lines", lines: [line(1), line(2)] });
  sockets[0]?.close();
  expect(states.at(-1)).toMatchObject({ state: "waiting" });
  vi.advanceTimersByTime(1_000);
  expect(sockets[1]?.address).toContain("from=3");
  sockets[1]?.say({ type: "lines", lines: [line(3)] });
  expect(lines).toEqual([1, 2, 3]);
  expect(states.at(-1)).toEqual({ state: "live", resumes: 1, resumedAt: 3 });
});

it("ends with the job and does not come back", () => {
  const { sockets, states } = follow();
  sockets[0]?.say({ type: "end", state: "Succeeded", last: 0 });
  sockets[0]?.close();
  vi.advanceTimersByTime(120_000);
  expect(sockets).toHaveLength(1);
  expect(states.at(-1)).toMatchObject({ state: "ended" });
});

it("is silent once it was closed", () => {
  const { socket, sockets, states } = follow();
  socket.close();
  const told = states.length;
  vi.advanceTimersByTime(120_000);
  expect(sockets).toHaveLength(1);
  expect(states).toHaveLength(told);
});
