import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuTimeOf } from "../../test/cpu-time.ts";
import { controlPlane, declare, manyNodes, sshSpec, worker } from "../../test/documents.ts";
import type { Problem } from "../problems.ts";
import { MAXIMUM_PROBLEMS, validateCluster } from "./validate.ts";

const problemsOf = (document: unknown): readonly Problem[] => {
  const result = validateCluster(document);
  return result.ok ? [] : result.problems;
};

describe("validateCluster", () => {
  it("suggests what a misspelt field or value was meant to be", () => {
    const document = {
      ...declare({ provider: "kind" }),
      spec: { provider: "kidn", kind: { workrs: 1 }, desiredstate: "x" },
    };
    const next = Object.fromEntries(problemsOf(document).map(({ path, next }) => [path, next]));
    expect(next).toEqual({
      "spec.provider": "Did you mean kind?",
      "spec.kind.workrs": "Did you mean workers?",
      "spec.desiredstate": "Did you mean desiredState?",
    });
  });

  it("offers the network that was meant", () => {
    const [problem] = problemsOf(declare({ provider: "kind", networking: { podSubnet: "10.244.7.9/16" } }));
    expect(problem?.next).toBe("Did you mean 10.244.0.0/16?");
  });

  it("says what a missing field is for", () => {
    const [problem] = problemsOf(declare({ provider: "imported", imported: {} as never }));
    expect(problem).toEqual({
      path: "spec.imported.kubeconfig",
      code: "required",
      message: "spec.imported.kubeconfig is missing.",
      next: "Add it. The kubeconfig.",
    });
  });

  it("never repeats what may be a secret", () => {
    const secret = "-----BEGIN OPENSSH PRIVATE KEY----- b3BlbnNzaC1rZXk";
    const document = declare(sshSpec({ access: { credential: secret as never } }));
    const other = declare(sshSpec({ access: { credential: { name: secret, key: secret } } }));
    for (const problem of [...problemsOf(document), ...problemsOf(other)]) {
      expect(JSON.stringify(problem)).not.toContain("b3BlbnNzaC1rZXk");
    }
  });

  it("lists a hundred problems and counts the rest", () => {
    const nodes = Array.from({ length: 150 }, (_, index) => worker(index, { address: "bad address" }));
    const problems = problemsOf(declare(sshSpec({ nodes })));
    expect(problems).toHaveLength(MAXIMUM_PROBLEMS + 1);
    expect(problems.at(-1)).toMatchObject({
      path: "",
      code: "too-many-problems",
      message: "There are 50 more problems.",
    });
  });

  it("does not count roles while a node is broken", () => {
    const nodes = [controlPlane(1, { roles: ["contolplane" as never] }), worker(2)];
    expect(problemsOf(declare(sshSpec({ nodes }))).map(({ code }) => code)).toEqual(["unknown-value"]);
  });

  it("accepts other versions where an installation supports them", () => {
    const document = declare({ provider: "kind", kubernetes: { version: "v1.40.1" } });
    expect(validateCluster(document).ok).toBe(false);
    expect(validateCluster(document, { versions: { oldest: 40, newest: 41 } }).ok).toBe(true);
  });

  it("drops a status unread, unless it is asked to check it", () => {
    const document = { ...declare({ provider: "kind" }), status: { phase: "Fine" } };
    const result = validateCluster(document);
    expect(result.ok && result.cluster.status).toBeUndefined();
    const checked = validateCluster(document, { status: "check" });
    expect(checked.ok ? [] : checked.problems).toMatchObject([{ code: "unknown-value", path: "status.phase" }]);
  });

  it("accepts what it has accepted before, unchanged", () => {
    const result = validateCluster(manyNodes(20));
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    expect(validateCluster(result.cluster)).toEqual(result);
  });

  it("finds a duplicate wherever it is among the nodes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 60 }), fc.nat(), fc.nat(), (count, first, second) => {
        const document = manyNodes(count);
        const nodes = document.spec.ssh?.nodes ?? [];
        const [a, b] = [first % count, second % count];
        const [from, to] = [nodes[a], nodes[b]];
        if (from === undefined || to === undefined || a === b) return;
        to.address = from.address;
        expect(problemsOf(document)).toMatchObject([
          { code: "node-address-duplicate", path: `spec.ssh.nodes[${Math.max(a, b)}].address` },
        ]);
      }),
    );
  });

  it("does not slow down faster than a document grows", () => {
    const time = (nodes: number) => {
      const document = manyNodes(nodes);
      return cpuTimeOf(15, () => expect(validateCluster(document).ok).toBe(true));
    };
    time(100);
    expect(time(1000) / time(100)).toBeLessThan(40);
  });
});
