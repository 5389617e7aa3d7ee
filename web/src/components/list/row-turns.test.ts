import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RowTurns } from "./use-row-turns.ts";

describe("rows that are drawn in turns", () => {
  const frames: (() => void)[] = [];
  const nextFrame = () => frames.shift()?.();
  beforeEach(() => {
    frames.length = 0;
    vi.stubGlobal("requestAnimationFrame", (frame: () => void) => frames.push(frame));
  });
  afterEach(() => vi.unstubAllGlobals());

  const waitAll = (turns: RowTurns, count: number) => {
    const drawn: number[] = [];
    const callOff = Array.from({ length: count }, (_, row) => turns.wait(() => drawn.push(row)));
    return { drawn, callOff };
  };

  it("begin with so many at once", () => {
    const turns = new RowTurns(2);
    expect([turns.takeFree(), turns.takeFree(), turns.takeFree()]).toEqual([true, true, false]);
  });

  it("are a few in each frame, the newest first, until none is left", () => {
    const { drawn } = waitAll(new RowTurns(0), 6);
    expect(drawn).toEqual([]);
    nextFrame();
    expect(drawn).toEqual([5, 4, 3, 2]);
    nextFrame();
    expect(drawn).toEqual([5, 4, 3, 2, 1, 0]);
    expect(frames).toEqual([]);
  });

  it("are left out once they are gone, and begin again with the next one", () => {
    const turns = new RowTurns(0);
    const { drawn, callOff } = waitAll(turns, 2);
    callOff[1]?.();
    nextFrame();
    expect(drawn).toEqual([0]);
    turns.wait(() => drawn.push(7));
    nextFrame();
    expect(drawn).toEqual([0, 7]);
  });
});
