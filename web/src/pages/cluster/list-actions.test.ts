import { expect, it } from "vitest";
import type { Cluster } from "../../api/objects.ts";
import { listActions } from "./list-actions.ts";

const actionsOf = (spec: object, status: object = {}) =>
  listActions({
    spec: { maintenance: { paused: false, protected: false }, ...spec },
    status: { phase: "Running", modifiers: [], ...status },
  } as unknown as Cluster);

const UPKEEP = ["backup", "renewCertificates"] as const;

it("offers backups and certificates on machines, and nowhere else", () => {
  for (const distribution of ["kubeadm", "k3s"]) {
    expect(actionsOf({ ssh: { distribution } })).toEqual(expect.arrayContaining([...UPKEEP]));
  }
  for (const spec of [{ kind: {} }, { imported: { locked: false } }]) {
    for (const action of UPKEEP) expect(actionsOf(spec)).not.toContain(action);
  }
});

it("offers neither while something else runs, or the cluster does not", () => {
  const ssh = { distribution: "k3s" };
  for (const status of [{ job: { id: "j" } }, { phase: "Unreachable" }]) {
    for (const action of UPKEEP) expect(actionsOf({ ssh }, status)).not.toContain(action);
  }
});

it("offers hibernation only where it is not refused", () => {
  expect(actionsOf({ kind: {} })).toContain("hibernate");
  for (const spec of [{ ssh: { distribution: "kubeadm" } }, { imported: { locked: false } }]) {
    expect(actionsOf(spec)).not.toContain("hibernate");
  }
});
