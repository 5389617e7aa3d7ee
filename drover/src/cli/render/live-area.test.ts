import { expect, it } from "vitest";
import { LiveArea } from "./live-area.ts";

function open(columns = 80) {
  const written: string[] = [];
  const area = new LiveArea(
    (text) => void written.push(text),
    () => columns,
  );
  return { area, written };
}

it("goes up as many lines as it drew, and erases them", () => {
  const { area, written } = open();
  area.draw(["one", "two"]);
  area.draw(["three"]);
  area.clear();
  expect(written).toEqual(["one\ntwo\n", "\x1b[2A\x1b[0Jthree\n", "\x1b[1A\x1b[0J"]);
});

it("lets what was said stay above", () => {
  const { area, written } = open();
  area.draw(["50 %"]);
  area.say("step done\n");
  area.draw(["60 %"]);
  expect(written.slice(1)).toEqual(["\x1b[1A\x1b[0Jstep done\n", "60 %\n"]);
});

it("cuts lines that would wrap", () => {
  const { area, written } = open(12);
  area.draw(["0123456789abcdef"]);
  expect(written).toEqual(["0123456789…\n"]);
});
