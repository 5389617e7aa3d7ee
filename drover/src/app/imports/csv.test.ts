import { expect, it } from "vitest";
import { readCsv, writeCsv } from "./csv.ts";

it("reads what it writes, whatever the values hold", () => {
  const rows = [
    ["name", "note"],
    ["a", 'says "hi", twice'],
    ["b", "two\nlines"],
    ["c", ""],
  ];
  expect(readCsv(writeCsv(rows))?.map(({ values }) => values)).toEqual(rows);
});

it("counts lines as an editor does, and passes over empty ones", () => {
  const text = '\ufeffname,provider\r\n\r\n"a\nb",kind\n , \nc, k3d ';
  expect(readCsv(text)).toEqual([
    { line: 1, values: ["name", "provider"] },
    { line: 3, values: ["a\nb", "kind"] },
    { line: 6, values: ["c", "k3d"] },
  ]);
});

it("does not take the rest of a text for one value", () => {
  expect(readCsv('a,"b\nc,d')).toBeNull();
  expect(readCsv("")).toEqual([]);
});
