import { expect, it, onTestFinished } from "vitest";
import { waitFor } from "../../../test/wait-for.ts";
import { DEFAULT_SEARCH_PATH } from "./child-environment.ts";
import { LocalConnector } from "./local-connector.ts";

function connect(): LocalConnector {
  const connector = new LocalConnector({ environment: { PATH: DEFAULT_SEARCH_PATH }, graceMs: 500 });
  onTestFinished(() => connector.close());
  return connector;
}

it("finds and ends what carries a mark, started by whomever, with all that it started", async () => {
  const [mark, other] = [`drover-test-${process.pid}-a`, `drover-test-${process.pid}-b`];
  const [first, second] = [connect(), connect()];
  const argv = ["sh", "-c", "setsid sleep 60 & sleep 60 & wait"] as const;
  const wanted = first.run({ argv, mark }).catch((error: unknown) => error);
  const kept = first.run({ argv, mark: other }).catch((error: unknown) => error);
  await waitFor(async () => expect((await second.findMarked(mark)).length).toBe(3));
  await second.endMarked(mark);
  expect(await second.findMarked(mark)).toEqual([]);
  expect(await wanted).toMatchObject({ signal: "SIGTERM" });
  expect((await second.findMarked(other)).length).toBe(3);
  await second.endMarked(other);
  await kept;
});

it("finds nothing under a mark that nobody has", async () => {
  const connector = connect();
  expect(await connector.findMarked("nobody has this")).toEqual([]);
  await connector.endMarked("nobody has this");
});
