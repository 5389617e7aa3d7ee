import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { DocumentReader, LIMITS } from "./document-reader.ts";
import { makeLineOf, readDocuments } from "./read-documents.ts";

const open = () => {
  const program = new URL("../../test/document-reader-thread.mjs", import.meta.url);
  const execArgv = ["--conditions=drover-source"];
  const reader = new DocumentReader(() => new Worker(program, { ...LIMITS, execArgv }));
  onTestFinished(() => reader.close());
  return reader;
};
const LONG = `spec:\n${Array.from({ length: 1_000 }, (_, index) => `  key-${index}: ${index}\n`).join("")}`;

it.each([
  ["a short text", "a: 1\n"],
  ["a long text", LONG],
  ["a long text full of mistakes", `${LONG}  key-1: 1\nb: ]\n`],
  ["keys that mean something to objects", `{"__proto__": {"a": 1}, "constructor": 2, "long": "${"x".repeat(3_000)}"}`],
])("reads %s as one would here", async (_, text) => {
  expect(await open().read(text)).toEqual(readDocuments(text));
});

it("tells lines, and leaves the prototype of objects alone", async () => {
  const read = await open().read(`{"__proto__": {"polluted": true},\n"b": "${"x".repeat(3_000)}"}`);
  const document = read.ok ? read.documents[0] : undefined;
  expect(document === undefined ? 0 : makeLineOf(document)("b")).toBe(2);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.getPrototypeOf(document?.data)).toBe(Object.prototype);
});

it("lets others go on while it reads", async () => {
  const reader = open();
  await reader.read(LONG);
  let turns = 0;
  let done = false;
  const reading = reader.read(LONG).finally(() => {
    done = true;
  });
  while (!done) {
    turns += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await reading;
  expect(turns).toBeGreaterThan(3);
});

it("fails what it was reading when its thread ends, and reads on with another one", async () => {
  const reader = open();
  const reading = reader.read(LONG).catch((error: Error) => error.message);
  await reader.close();
  expect(await reading).toBe("The thread that reads documents has ended.");
  expect((await reader.read(LONG)).ok).toBe(true);
});
