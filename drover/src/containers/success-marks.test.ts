import { expect, it, onTestFinished } from "vitest";
import { askDocker, startFakeDocker } from "../../test/fake-docker/fake-engine-world.ts";
import type { Container } from "../ports/container-engine.ts";
import { SuccessMarks } from "./success-marks.ts";

const { signal } = new AbortController();

async function open(names: readonly string[]) {
  const { daemon, engine, dispose } = await startFakeDocker(["example/node:1"]);
  onTestFinished(dispose);
  for (const name of names) {
    await askDocker(daemon.socket, "POST", `/containers/create?name=${name}`, { Image: "example/node:1" });
  }
  const nodes = await engine.listContainers([], signal);
  return { daemon, engine, nodes, marks: new SuccessMarks(engine) };
}

it("finds none in nodes that were cut off, and the one that was written in any of them", async () => {
  const { nodes, marks, engine } = await open(["a", "b"]);
  expect(await marks.read(nodes, signal)).toBeNull();
  await marks.write(nodes, { stage: "made", images: ["x:1"] }, signal);
  await engine.removeContainer(nodes[0]?.id ?? "", signal);
  expect(await marks.read(nodes, signal)).toEqual({ stage: "made", images: ["x:1"] });
});

it("asks no more about a cluster that is complete, until it is told to forget it", async () => {
  const { nodes, marks, daemon } = await open(["a"]);
  await marks.write(nodes, { stage: "complete", images: [] }, signal);
  await marks.read(nodes, signal);
  const asked = daemon.requests.length;
  expect((await marks.read(nodes, signal))?.stage).toBe("complete");
  expect(daemon.requests.length).toBe(asked);
  marks.forgetOthers(new Set());
  await marks.read(nodes, signal);
  expect(daemon.requests.length).toBe(asked + 1);
});

it("takes a file that was cut off for none", async () => {
  const { nodes, marks, engine } = await open(["a"]);
  for (const text of ['{"stage":"comp', "{}", '{"stage":"other"}', ""]) {
    await engine.writeFile((nodes[0] as Container).id, "/etc/drover/mark.json", text, signal);
    expect(await marks.read(nodes, signal)).toBeNull();
  }
});
