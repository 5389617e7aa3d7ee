import { describe, expect, it, vi } from "vitest";
import { fakeStep as step } from "../../test/fake-step.ts";
import { FakeJob } from "../../test/run-fake-plan.ts";
import { API_SERVER } from "../domain/allocation.ts";
import { fencingTokenOf } from "../domain/fencing-token.ts";
import type { Connector, RunOptions } from "../ports/connector.ts";
import type { StepContext } from "../ports/step.ts";
import { CancelRequested } from "./stop-reasons.ts";

/** Runs one step that does something with its context. */
async function withContext(act: (context: StepContext) => Promise<void>, rest: Parameters<FakeJob["start"]>[0] = {}) {
  const job = new FakeJob([step("a", [], { host: "node-1" })], { a: { act } });
  return { job, end: await job.run(rest) };
}

/** A connector that notes what it is asked, and ends when it is told to. */
function fakeConnector(asked: RunOptions[]): Connector {
  return {
    host: "node-1",
    run: (_command, options = {}) => {
      asked.push(options);
      return new Promise((resolve, reject) => {
        const result = { exitCode: 0, signal: null, stdout: "", stderr: "", dropped: { stdout: 0, stderr: 0 } };
        if (options.deadlineMs === undefined) return resolve(result);
        options.signal?.addEventListener("abort", () => reject(options.signal?.reason as Error));
      });
    },
    put: vi.fn(async () => {}),
    get: vi.fn(async () => new Uint8Array()),
    findMarked: async () => [],
    endMarked: async () => {},
    close: vi.fn(async () => {}),
  };
}

describe("the context of a step", () => {
  it("names the cluster, the job, a key that stays the same and a token that grows", async () => {
    await withContext(async (context) => {
      expect(context.cluster).toEqual({ id: "cluster-1", name: "dev", generation: 1, spec: {} });
      expect(context.job).toEqual({ id: "job-1", kind: "create", attempt: 1, worker: "w1" });
      expect(context.step.id).toBe("a");
      expect(context.idempotencyKey).toBe("job-1/a");
      expect(context.fencingToken).toBe(fencingTokenOf(1, 1));
    });
    expect.assertions(5);
  });

  it("logs what it changes, with the host where that is another one", async () => {
    const { job } = await withContext(async (context) => {
      await context.change("node-1", "Write the unit file", async () => context.log("written"));
      await context.change("node-2", "Open the port", async () => context.log("refused", "stderr"));
    });
    expect(job.store.log.map(({ stream, text }) => `${stream}: ${text}`)).toEqual([
      "drover: Write the unit file",
      "stdout: written",
      "drover: node-2: Open the port",
      "stderr: refused",
    ]);
  });

  it("reserves what neither another cluster nor the host has in use, and asks the host again each time", async () => {
    const asked: string[] = [];
    const inUse = new Set(["20000", "20001"]);
    const isFree = async (value: string) => {
      asked.push(value);
      return !inUse.has(value);
    };
    const { job } = await withContext(async ({ allocations }) => {
      expect(await allocations.reserve(API_SERVER, isFree)).toMatchObject({ slot: "api-server", value: "20002" });
      inUse.add("20002");
      expect(await allocations.reserve(API_SERVER, isFree)).toMatchObject({ value: "20003" });
      expect((await allocations.list()).map(({ value }) => value)).toEqual(["20003"]);
      await allocations.keepOnly([]);
      expect(await allocations.list()).toEqual([]);
    });
    expect(asked).toEqual(["20000", "20001", "20002", "20002", "20000", "20001", "20003"]);
    expect(job.store.allocations).toEqual([]);
  });

  it("gives up a range in which everything is in use, and reserves nothing once it has to stop", async () => {
    const pools = { ports: { from: 1, to: 60_000 }, subnets: { pool: "10.0.0.0/8", prefix: 24 } };
    const { end } = await withContext(
      async ({ allocations }) => void (await allocations.reserve(API_SERVER, async () => false)),
      { tuning: { pools } },
    );
    expect(end.steps[0]?.error).toMatchObject({ code: "allocation-exhausted" });
    const controller = new AbortController();
    let asked = 0;
    await withContext(
      async ({ allocations }) => {
        const isFree = async () => {
          asked += 1;
          controller.abort(new CancelRequested("ada"));
          return false;
        };
        await allocations.reserve(API_SERVER, isFree);
      },
      { signals: [controller.signal] },
    );
    expect(asked).toBe(1);
  });

  it("begins no further change once it has to stop", async () => {
    const controller = new AbortController();
    const work = vi.fn(async () => {});
    const { end } = await withContext(
      async (context) => {
        await context.change("node-1", "Do the first thing", work);
        controller.abort(new CancelRequested("ada"));
        await context.change("node-1", "Do the second thing", work);
      },
      { signals: [controller.signal] },
    );
    expect(work).toHaveBeenCalledTimes(1);
    expect(end.steps[0]).toMatchObject({
      state: "Canceled",
      error: { message: "Cancelled by ada. Last: Cancelled by ada." },
    });
  });

  it("writes down what was made even when it has to stop", async () => {
    const controller = new AbortController();
    const { job } = await withContext(
      async (context) => {
        const object = await context.ledger.intend({ system: "docker", kind: "container", ref: "dev-1" });
        controller.abort(new CancelRequested("ada"));
        await context.ledger.present(object.id);
      },
      { signals: [controller.signal] },
    );
    expect(job.store.objects).toMatchObject([{ ref: "dev-1", state: "present" }]);
  });

  it("reads and writes the ledger", async () => {
    const { job } = await withContext(async (context) => {
      const object = await context.ledger.intend({ system: "docker", kind: "container", ref: "dev-1" });
      await context.ledger.gone(object.id);
      expect(await context.ledger.list()).toHaveLength(1);
    });
    expect(job.store.objects).toMatchObject([{ state: "gone" }]);
  });

  it("hides every secret that a step reads, in log, errors and results", async () => {
    const job = new FakeJob([step("a")], {
      a: {
        act: async (context) => {
          const secret = await context.readSecret("cluster/dev", "password");
          const text = new TextDecoder().decode(secret as Uint8Array).trim();
          context.log(`using ${text} as ${Buffer.from(text).toString("base64")}`);
          expect(await context.readSecret("cluster/dev", "nothing")).toBeNull();
          throw new Error(`${text} was refused`);
        },
      },
    });
    job.store.secretValues.set("cluster/dev/password", "correct horse\n");
    const end = await job.run();
    expect(job.store.log.map(({ text }) => text)).toEqual(["using *** as ***", "It failed: *** was refused"]);
    expect(end.steps[0]?.error?.message).toBe("*** was refused");
    expect(end.outcome).toMatchObject({ error: { message: '"a" on local: *** was refused' } });
    expect(job.store.records[0]?.error?.message).toBe("*** was refused");
  });

  it("ends commands with the step, also where the step forgets to say so", async () => {
    const asked: RunOptions[] = [];
    const controller = new AbortController();
    const own = new AbortController();
    const connect = async (): Promise<Connector> => fakeConnector(asked);
    const { end } = await withContext(
      async (context) => {
        context.mask("hunter2");
        const connector = await context.connect("node-1");
        await connector.put("/etc/x", new Uint8Array());
        await connector.get("/etc/x");
        await connector.run({ argv: ["true"] }, { signal: own.signal });
        const hanging = connector.run({ argv: ["sleep"] }, { deadlineMs: 1e9 });
        controller.abort(new CancelRequested("ada"));
        await hanging;
      },
      { signals: [controller.signal], connect },
    );
    expect(end.outcome.kind).toBe("cancelled");
    expect(asked).toHaveLength(2);
    expect(asked.every(({ signal }) => signal?.aborted)).toBe(true);
    expect(asked[0]?.mask?.("a hunter2")).toBe("a ***");
    expect(own.signal.aborted).toBe(false);
  });

  it("tells its progress", async () => {
    const told: unknown[] = [];
    const progress = {
      begin: (id: string) => void told.push(["begin", id]),
      advance: (id: string, percent: number) => void told.push([id, percent]),
      end: (id: string, state: string) => void told.push([id, state]),
    };
    await withContext(async (context) => context.progress(40), { progress });
    expect(told).toEqual([
      ["begin", "a"],
      ["a", 40],
      ["a", "Succeeded"],
    ]);
  });
});
