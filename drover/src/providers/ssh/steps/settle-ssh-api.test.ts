import { beforeEach, describe, expect, it } from "vitest";
import { FakeMachine } from "../../../../test/fake-machines/fake-machine.ts";
import { LINUX } from "../../../../test/fake-machines/fake-programs.ts";
import { KubernetesError } from "../../../ports/kubernetes-api.ts";
import type { StepContext } from "../../../ports/step.ts";
import type { SshHost } from "../host.ts";
import { noteSshWatchers, settleSshApi } from "./settle-ssh-api.ts";

/** What the cluster says in each second; the last goes on. */
interface Second {
  /** The time in the leases; null when nobody answers. */
  readonly renewTime: number | null;
  readonly watchers?: string;
}

let seconds: readonly Second[] = [];
let second = 0;
let machine: FakeMachine;
let logged: string[] = [];

const now = (): Second => seconds[Math.min(second, seconds.length - 1)] ?? { renewTime: null };
const renewing = (from: number, count: number, watchers?: string): readonly Second[] =>
  Array.from({ length: count }, (_, index) => ({
    renewTime: from + Math.floor(index / 2),
    ...(watchers === undefined ? {} : { watchers }),
  }));
const same = (count: number, what: Second): readonly Second[] => Array.from({ length: count }, () => what);

beforeEach(() => {
  [second, logged] = [0, []];
  machine = new FakeMachine("cp", {
    ...LINUX,
    "drover-count-watchers": () => ({ exitCode: 0, stdout: `${now().watchers ?? "6 4"}\n` }),
  });
});

const host = {
  target: async () => ({ kubeconfig: "" }),
  parts: {
    timer: {
      after: (_ms: number, callback: () => void) => {
        second += 1;
        queueMicrotask(callback);
        return () => {};
      },
    },
    kubernetes: {
      get: async () => {
        const { renewTime } = now();
        if (renewTime === null) throw new KubernetesError("unreachable", "Nobody answers.");
        return { spec: { renewTime: String(renewTime) } };
      },
    },
  },
} as unknown as SshHost;

const contextOf = (distribution = "kubeadm"): StepContext =>
  ({
    cluster: { id: "id", name: "dev", spec: { provider: "ssh", ssh: { distribution, nodes: [] } } },
    ...{ step: { host: "cp", input: {} }, job: { id: "job" }, signal: new AbortController().signal },
    change: (_host: string, _text: string, work: () => Promise<void>) => work(),
    connect: async () => machine,
    log: (line: string) => logged.push(line),
  }) as unknown as StepContext;

/** How many seconds it took. */
async function settle(course: readonly Second[], distribution?: string): Promise<number> {
  seconds = course;
  await settleSshApi(host).run(contextOf(distribution));
  return second;
}

async function note(watchers: string): Promise<void> {
  seconds = [{ renewTime: 0, watchers }];
  await noteSshWatchers().run(contextOf());
}

describe("settling after an API server was away", () => {
  it("takes ten steady seconds where everybody is at work", async () => {
    expect(await settle(renewing(1, 100))).toBeLessThan(15);
    expect(logged).toEqual(["No kube-controller-manager is at work yet."]);
  });

  it("waits for whoever leads to renew its lease, however long the old one stands there", async () => {
    expect(await settle([...same(40, { renewTime: 7 }), ...renewing(8, 100)])).toBe(50);
  });

  it("begins anew when the API server goes away once more", async () => {
    const course = [...renewing(1, 8), ...same(5, { renewTime: null }), ...renewing(9, 100)];
    expect(await settle(course)).toBe(8 + 5 + 10);
    expect(logged).toContain("Nobody answers.");
  });

  it("waits until as many watch as did before", async () => {
    await note("6 4");
    second = 0;
    const course = [...renewing(1, 30, "5 4"), ...renewing(20, 30, "6 3"), ...renewing(40, 100, "7 4")];
    expect(await settle(course)).toBeGreaterThanOrEqual(70);
    expect(logged.slice(-2)).toEqual([
      "5 of 6 clients watch pods again, 4 of 4 watch endpoints.",
      "6 of 6 clients watch pods again, 3 of 4 watch endpoints.",
    ]);
  });

  it("does not wait forever for one that does not come back", async () => {
    await note("6 4");
    second = 0;
    expect(await settle(renewing(1, 1_000, "5 4"))).toBeLessThan(150);
    expect(logged.at(-1)).toBe("The others are not waited for any longer.");
  });

  it("counts anew for another job, and keeps the count of this one", async () => {
    await note("6 4");
    expect(await noteSshWatchers().precheck(contextOf())).toBe(true);
    expect(await noteSshWatchers().precheck({ ...contextOf(), job: { id: "next" } } as StepContext)).toBe(false);
  });

  it("notes nothing while the API server does not answer, and is tried again", async () => {
    await expect(note("")).rejects.toMatchObject({ code: "cluster-not-ready" });
    expect(await noteSshWatchers().precheck(contextOf())).toBe(false);
  });

  it("waits while the API server does not answer", async () => {
    await note("6 4");
    second = 0;
    expect(await settle([...renewing(1, 20, ""), ...renewing(11, 100, "6 4")])).toBe(30);
  });

  it("needs no leases where k3s is", async () => {
    await note("6 4");
    second = 0;
    expect(await settle([...same(20, { renewTime: null, watchers: "0 0" }), { renewTime: null }], "k3s")).toBe(30);
  });
});
