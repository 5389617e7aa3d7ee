import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startFakeDocker } from "../../test/fake-docker/fake-engine-world.ts";
import { makeDocker } from "./make-docker.ts";

it("reaches the Docker that the option names", async () => {
  const { daemon, dispose } = await startFakeDocker();
  onTestFinished(dispose);
  const { engine } = makeDocker(daemon.host, { DOCKER_TLS_VERIFY: "1" });
  expect((await engine.describe(new AbortController().signal)).version).toBe("28.2.2");
});

it("knows which ports are free where Docker is on this machine, and nowhere else", async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
  const isFree = (host: string) => makeDocker(host, {}).isPortFree("127.0.0.1", port, "TCP");
  for (const here of ["unix:///var/run/docker.sock", "tcp://127.0.0.1:2375", "tcp://localhost:2375"]) {
    expect(await isFree(here)).toBe(false);
  }
  expect(await isFree("tcp://10.0.0.9:2375")).toBe(true);
});

it("says which certificates are missing", async () => {
  const { engine } = makeDocker("tcp://10.0.0.9:2376", { DOCKER_TLS_VERIFY: "1", DOCKER_CERT_PATH: "/nowhere" });
  await expect(engine.describe(new AbortController().signal)).rejects.toMatchObject({
    reason: "unreachable",
    message: expect.stringContaining("/nowhere/ca.pem"),
  });
});
