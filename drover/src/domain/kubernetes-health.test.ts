import { describe, expect, it } from "vitest";
import { healthOf } from "./kubernetes-health.ts";
import type { KubernetesLook } from "./kubernetes-look.ts";
import type { NodeSeen } from "./node-seen.ts";

const node = (name: string, status: NodeSeen["status"]): NodeSeen => ({
  ...{ name, status, roles: ["worker"], version: "v1.34.4", address: null },
  cpu: { capacity: 2, used: null },
  memory: { capacity: 4, used: null },
  pods: { capacity: 110, used: null },
});

const look = (more: Partial<KubernetesLook>): KubernetesLook => ({
  ...{ ready: true, version: "v1.34.4", endpoint: "https://a", nodes: [], useFrom: null, unwellPods: [], withheld: [] },
  certificates: { server: 0, client: null },
  ...more,
});

describe("the health of a cluster", () => {
  it("counts cordoned and drained nodes as ready", () => {
    const nodes = [node("a", "Ready"), node("b", "Cordoned"), node("c", "Drained"), node("d", "NotReady")];
    expect(healthOf(look({ nodes }))).toMatchObject({ reachable: true, nodesReady: 3, nodesTotal: 4 });
  });

  it("names pods that are not well, the first of many", () => {
    const unwellPods = ["a (X)", "b (X)", "c (X)", "d (X)", "e (X)", "f (X)", "g (X)"];
    expect(healthOf(look({ unwellPods })).message).toMatch(/these do not run .*a \(X\), .*e \(X\), and 2 more\.$/);
  });

  it("says what the credentials may not see rather than that there is none", () => {
    expect(healthOf(look({ withheld: ["nodes"] })).message).toBe("The credentials may not see the nodes.");
  });

  it("takes an API that is not ready for one that does not answer", () => {
    expect(healthOf(look({ ready: false })).reachable).toBe(false);
  });

  it("tells when certificates end", () => {
    expect(healthOf(look({})).body["certificates"]).toEqual({ server: "1970-01-01T00:00:00.000Z", client: null });
  });
});
