import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { makeTempFolder } from "../../test/temp-folder.ts";
import { waitFor } from "../../test/wait-for.ts";
import { makeColours } from "../cli/render/colour.ts";
import { runOwnLog } from "./own-log.ts";

let folder: string;
let said: string;
const write = (text: string) => {
  said += text;
};
const stop = () => new AbortController();
const ask = (given: { follow?: boolean; tail?: number; asJson?: boolean; signal?: AbortSignal } = {}) =>
  runOwnLog(
    folder,
    { follow: false, tail: undefined, asJson: false, colours: makeColours(false), signal: stop().signal, ...given },
    write,
  );
const file = () => join(folder, "drover.log");
const entry = (number: number) => JSON.stringify({ level: 40, time: 0, task: "looks", msg: `entry ${number}` });

beforeEach(() => {
  folder = makeTempFolder("own-log");
  said = "";
});

it("says where the log is when there is none", async () => {
  expect(await ask()).toBe(1);
  expect(said).toContain("only `drover up --detach` keeps one");
});

it("shows entries as sentences, what was written for people as it is, and no control bytes", async () => {
  writeFileSync(file(), `Drover is running.\n${entry(1)}\n{"level":50,"time":0,"msg":"\\u001b[31mred"}\n{"half`);
  expect(await ask()).toBe(0);
  expect(said).toBe(
    'Drover is running.\n1970-01-01 00:00:00 warn  entry 1 {"task":"looks"}\n1970-01-01 00:00:00 error red\n',
  );
});

it("shows only the last lines, or the entries as they are", async () => {
  writeFileSync(file(), `${Array.from({ length: 5_000 }, (_, index) => entry(index)).join("\n")}\n`);
  await ask({ tail: 2, asJson: true });
  expect(said).toBe(`${entry(4_998)}\n${entry(4_999)}\n`);
});

it("follows lines as they come, also when the file was begun anew, until it is stopped", async () => {
  writeFileSync(file(), `${entry(1)}\n`);
  const stopped = stop();
  const following = ask({ follow: true, signal: stopped.signal });
  appendFileSync(file(), entry(2).slice(0, 10));
  appendFileSync(file(), `${entry(2).slice(10)}\n`);
  await waitFor(() => expect(said).toContain("entry 2"));
  writeFileSync(file(), "short\n");
  await waitFor(() => expect(said).toMatch(/entry 2.*\nshort\n$/));
  stopped.abort();
  expect(await following).toBe(0);
});
