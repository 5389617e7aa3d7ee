import { expect, it, vi } from "vitest";
import { waitFor } from "../../test/wait-for.ts";
import type { FoundCluster, Provider } from "../ports/provider.ts";
import { systemTimer } from "../ports/timer.ts";
import { Survey } from "./survey.ts";

const provider = (id: string, hostBound: boolean, list: () => Promise<readonly FoundCluster[]>) =>
  [id, { id, capabilities: { hostBound }, list } as unknown as Provider] as const;

it("tells what is on this host, and goes on when one kind of it cannot be seen", async () => {
  const onUnable = vi.fn();
  let looks = 0;
  const elsewhere = vi.fn(async () => []);
  const survey = new Survey({
    providers: new Map([
      provider("kind", true, async () => [{ name: "theirs", clusterId: null, detail: {} }]),
      provider("k3d", true, () => {
        looks += 1;
        return looks === 3 ? Promise.resolve([]) : Promise.reject(new Error("Docker is away."));
      }),
      provider("ssh", false, elsewhere),
    ]),
    ...{ timer: systemTimer, everyMs: 10, onUnable },
  });
  const stop = new AbortController();
  const running = survey.run(stop.signal);
  await waitFor(() => expect(looks).toBeGreaterThan(5));
  // Once, and once more after it had worked in between.
  expect(onUnable.mock.calls).toEqual([
    ["k3d", "Docker is away."],
    ["k3d", "Docker is away."],
  ]);
  expect(survey.found).toEqual([{ provider: "kind", name: "theirs", clusterId: null }]);
  expect(elsewhere).not.toHaveBeenCalled();
  stop.abort();
  await running;
});
