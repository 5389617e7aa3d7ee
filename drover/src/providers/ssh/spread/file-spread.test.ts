import { beforeEach, describe, expect, it } from "vitest";
import { SimulatedTime } from "../../../../test/simulated-time.ts";
import { FileError } from "../../../lib/file-error.ts";
import type { LendingOffer } from "../../../ports/lend-files.ts";
import type { Machines, RemoteMachine } from "../../../ports/machines.ts";
import type { StepContext } from "../../../ports/step.ts";
import { sleep } from "../../../ports/timer.ts";
import { FileSpread, type FileToSend } from "./file-spread.ts";

const BYTES = 10_000_000;
let time: SimulatedTime;
const pass = (seconds: number) => sleep(time, seconds * 1_000);

/** What happened, machine by machine. */
let [uploads, copies, log]: string[][] = [];
let lending: Set<string>;
/** How many seconds a file takes, from here when nothing else is under way, and between machines. */
let speed: { upload: number; copy: number };
let sharing: number;
let refuses: (node: string) => boolean;

beforeEach(() => {
  time = new SimulatedTime();
  [uploads, copies, log] = [[], [], []];
  lending = new Set();
  speed = { upload: 4, copy: 0.5 };
  refuses = () => false;
  sharing = 0;
});

const makeFiles = (count: number): FileToSend[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ from: `/here/file-${index}`, to: `/there/file-${index}`, sha256: `${index}`.repeat(64) },
  }));

/** The link from here is shared by all; those between machines are not. */
function makeMachine(node: string): RemoteMachine {
  return {
    host: node,
    sendFile: async (_from, to, { onProgress, signal } = {}) => {
      uploads?.push(`${node} ${to.at(-1)}`);
      sharing += 1;
      for (let part = 1; part <= 4; part++) {
        await pass((speed.upload / 4) * sharing);
        signal?.throwIfAborted();
        onProgress?.((BYTES * part) / 4, BYTES);
      }
      sharing -= 1;
    },
    borrowFile: async (offer, to, { onProgress, signal }) => {
      copies?.push(`${node} ${to.at(-1)} from ${offer.address}`);
      if (refuses(offer.address)) throw new Error("It is not reached.");
      for (let part = 1; part <= 10; part++) {
        await pass(speed.copy / 10);
        signal?.throwIfAborted();
        onProgress?.((BYTES * part) / 10, BYTES);
      }
    },
    lendFiles: () => ({
      add: async () => lending.add(node) !== undefined,
      offer: async () => ({ address: node, port: 1, user: "", hostKey: "", privateKey: "" }) satisfies LendingOffer,
      end: async () => void lending.delete(node),
    }),
  } as Partial<RemoteMachine> as RemoteMachine;
}

const NODES = ["a", "b", "c"];

function openSpread() {
  const machines = new Map(NODES.map((node) => [node, makeMachine(node)]));
  const connect = async (_: unknown, node: string) => machines.get(node) as RemoteMachine;
  const spread = new FileSpread({
    ...{ machines: { connect } as Partial<Machines> as Machines, clock: time, timer: time },
    folder: "/incoming",
    measure: async () => BYTES,
  });
  return { spread, connect };
}

interface Options {
  readonly signal?: AbortSignal;
  readonly world?: ReturnType<typeof openSpread>;
}

async function send(files: readonly FileToSend[], options: Options = {}) {
  const { signal = new AbortController().signal, world = openSpread() } = options;
  const { spread, connect } = world;
  const got = new Map<string, number>();
  await Promise.all(
    NODES.map(async (node) => {
      const context = {
        cluster: { id: "cluster", name: "dev", generation: 1, spec: { ssh: { nodes: NODES } } },
        step: { host: node },
        signal,
        log: (text: string) => log?.push(`${node}: ${text}`),
      } as unknown as StepContext;
      const arrived = async () => void got.set(node, (got.get(node) ?? 0) + 1);
      await spread.send(context, { machine: await connect(null, node), files, atOnce: 1, arrived });
    }),
  );
  return got;
}

describe("files for several machines", () => {
  it("leave from here about once over a slow link, and machines hand them on", async () => {
    const files = makeFiles(6);
    const got = await time.run(send(files));
    expect([...got.values()]).toEqual([6, 6, 6]);
    expect((uploads?.length ?? 0) + (copies?.length ?? 0)).toBe(18);
    expect(uploads?.length).toBeLessThanOrEqual(9);
    expect(log).toContainEqual(expect.stringMatching(/file-\d was copied from [abc]: .* MB\/s between machines, /));
    expect(lending.size).toBe(0);
  });

  it("all come from here over a fast link, and no machine is asked to lend", async () => {
    speed = { upload: 0.3, copy: 0.1 };
    await time.run(send(makeFiles(4)));
    expect(uploads).toHaveLength(12);
    expect(copies).toEqual([]);
  });

  it("come from here when machines are slower among each other, after one trial each", async () => {
    speed = { upload: 3, copy: 400 };
    const got = await time.run(send(makeFiles(4)));
    expect([...got.values()]).toEqual([4, 4, 4]);
    expect(uploads).toHaveLength(12);
    expect(copies?.length).toBeLessThanOrEqual(3);
    expect(log).toContainEqual(expect.stringMatching(/is slower to copy from/));
  });

  it("come from here when machines do not reach each other", async () => {
    refuses = () => true;
    const got = await time.run(send(makeFiles(6)));
    expect([...got.values()]).toEqual([6, 6, 6]);
    expect(uploads).toHaveLength(18);
    expect(copies?.length).toBeLessThanOrEqual(6);
    expect(log).toContainEqual(
      expect.stringMatching(/could not be copied from ., and comes from here. It is not reached/),
    );
  });

  it("go by what was seen a short while ago: a single file leaves from here once, and is waited for", async () => {
    const world = openSpread();
    const [single = { from: "", to: "", sha256: "" }, ...others] = makeFiles(7);
    await time.run(send(others, { world }));
    [uploads, copies] = [[], []];
    await time.run(send([single], { world }));
    expect([uploads?.length, copies?.length]).toEqual([1, 2]);
    await time.pass(700_000);
    [uploads, copies] = [[], []];
    await time.run(send([single], { world }));
    expect([uploads?.length, copies?.length]).toEqual([3, 0]);
  });

  it("are lent by nobody once the work was stopped", async () => {
    const stop = new AbortController();
    const sending = send(makeFiles(6), { signal: stop.signal });
    await time.pass(15_000);
    expect(lending.size).toBeGreaterThan(0);
    stop.abort(new Error("cancelled"));
    await expect(time.run(sending)).rejects.toThrow("cancelled");
    await time.pass(60_000);
    expect(lending.size).toBe(0);
  });

  it("name the machine, the folder and the next move when a disk is full", async () => {
    const world = openSpread();
    const machine = await world.connect(null, "b");
    machine.sendFile = async () => {
      throw new FileError("failed", "b", "/there/file-0", "cat: write error: No space left on device");
    };
    await expect(time.run(send(makeFiles(1), { world }))).rejects.toMatchObject({
      code: "host-full",
      message: expect.stringMatching(/for \/there on b\. Free some there/),
    });
  });
});
