import { describe, expect, test } from "vitest";
import type { Container, ContainerEngine } from "./container-engine.ts";

/** A Docker host for one test, and how to put something on it without the engine under test. */
export interface EngineWorld {
  readonly engine: ContainerEngine;
  /** The image of the containers that are made. */
  readonly image: string;
  /** A container that stays up once it is started, with a label, a mount, an anonymous volume and a published port. */
  createContainer(options: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly mount: { readonly source: string; readonly destination: string };
    readonly volumeAt: string;
    readonly port: { readonly container: number; readonly host: number };
    readonly network: string;
    /** Written to its log once it has started. */
    readonly says: readonly string[];
    readonly file: { readonly path: string; readonly content: string };
  }): Promise<void>;
  createNetwork(name: string, labels: Readonly<Record<string, string>>): Promise<void>;
  createVolume(name: string, labels: Readonly<Record<string, string>>): Promise<void>;
  /** A port of this machine that nobody uses. */
  readonly freePort: number;
  /** A folder of the host that can be mounted. */
  readonly folder: string;
  dispose(): Promise<void>;
}

export interface EngineSubject {
  readonly name: string;
  create(): Promise<EngineWorld>;
}

const PREFIX = "drover-engine-test";
const LABELS = { "drover.test": "engine", "drover.test.part": "a=b" };
const { signal } = new AbortController();

/** What every implementation of the port promises; the fake daemon and a real one are held to the same. */
export function describeContainerEngine(subject: EngineSubject): void {
  const it = test.extend<{ world: EngineWorld }>({
    world: async ({ task: _ }, use) => {
      const world = await subject.create();
      await use(world);
      await world.dispose();
    },
  });

  async function make(world: EngineWorld): Promise<Container> {
    await world.createNetwork(PREFIX, LABELS);
    await world.createContainer({
      name: PREFIX,
      labels: LABELS,
      mount: { source: world.folder, destination: "/seen" },
      volumeAt: "/kept",
      port: { container: 80, host: world.freePort },
      network: PREFIX,
      says: ["one", "two", "three"],
      file: { path: "/etc/drover-said", content: "hello\n" },
    });
    return await only(world);
  }

  async function only({ engine }: EngineWorld): Promise<Container> {
    const [container, ...others] = await engine.listContainers(["drover.test=engine"], signal);
    expect(others).toEqual([]);
    return container as Container;
  }

  describe(`${subject.name} keeps the contract of a container engine`, () => {
    it("says what it is", async ({ world }) => {
      const info = await world.engine.describe(signal);
      expect(info.version).toMatch(/^\d+\.\d+/);
      expect(info.apiVersion).toMatch(/^1\.\d+$/);
      expect([1, 2]).toContain(info.cgroupVersion);
      expect(Math.min(info.cpus, info.memoryBytes)).toBeGreaterThan(0);
      expect(info.dataRoot).toMatch(/^\//);
    });

    it("lists containers that do not run, with what they were made with", async ({ world }) => {
      const made = await make(world);
      expect(made).toMatchObject({ name: PREFIX, image: world.image, state: "created", labels: LABELS, ports: [] });
      expect(made.mounts).toContainEqual({ source: world.folder, destination: "/seen", volume: null });
      expect(made.mounts.find(({ destination }) => destination === "/kept")?.volume).toMatch(/^[0-9a-f]{64}$/);
      expect(made.createdAt).toBeGreaterThan(Date.UTC(2020));
    });

    it("lists by labels: all of them, with their values where given", async ({ world }) => {
      await make(world);
      const find = async (labels: readonly string[]) => (await world.engine.listContainers(labels, signal)).length;
      expect(await find(["drover.test", "drover.test.part=a=b"])).toBe(1);
      expect(await find(["drover.test=other"])).toBe(0);
      expect(await find(["drover.test", "drover.unheard-of"])).toBe(0);
    });

    it("starts and stops, and says so of what is not there", async ({ world }) => {
      const { engine } = world;
      const { id } = await make(world);
      for (let time = 0; time < 2; time += 1) expect(await engine.startContainer(id, signal)).toBe(true);
      const running = await only(world);
      expect(running.state).toBe("running");
      expect(running.ports).toContainEqual({
        ...{ containerPort: 80, protocol: "tcp" },
        ...{ hostAddress: "127.0.0.1", hostPort: world.freePort },
      });
      expect(running.addresses[PREFIX]).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      for (let time = 0; time < 2; time += 1)
        expect(await engine.stopContainer(id, { graceSeconds: 0 }, signal)).toBe(true);
      expect(await only(world)).toMatchObject({ state: "exited", ports: [], addresses: {}, networks: [PREFIX] });
      expect(await engine.startContainer(`${PREFIX}-missing`, signal)).toBe(false);
      expect(await engine.stopContainer(`${PREFIX}-missing`, { graceSeconds: 0 }, signal)).toBe(false);
    });

    it("reads files of containers that run and that do not, and null where there is none", async ({ world }) => {
      const { engine } = world;
      const { id } = await make(world);
      await engine.startContainer(id, signal);
      const read = async (path: string) => {
        const bytes = await engine.readFile(id, path, signal);
        return bytes === null ? null : new TextDecoder().decode(bytes);
      };
      expect(await read("/etc/drover-said")).toBe("hello\n");
      await engine.stopContainer(id, { graceSeconds: 0 }, signal);
      expect(await read("/etc/drover-said")).toBe("hello\n");
      expect(await read("/etc/drover-unsaid")).toBeNull();
      expect(await engine.readFile(`${PREFIX}-missing`, "/etc/hosts", signal)).toBeNull();
    });

    it("writes files into containers that run and that do not, over what was there", async ({ world }) => {
      const { engine } = world;
      const { id } = await make(world);
      const path = "/var/lib/drover-written/deep/file";
      for (const content of ["first", "second"]) {
        expect(await engine.writeFile(id, path, content, signal)).toBe(true);
        expect(new TextDecoder().decode((await engine.readFile(id, path, signal)) ?? undefined)).toBe(content);
        await engine.startContainer(id, signal);
      }
      expect(await engine.writeFile(`${PREFIX}-missing`, path, "", signal)).toBe(false);
    });

    it("gives a container another name, unless that is taken", async ({ world }) => {
      const { engine } = world;
      const { id } = await make(world);
      await expect(engine.renameContainer(id, PREFIX, signal)).rejects.toMatchObject({ reason: "refused" });
      expect(await engine.renameContainer(id, `${PREFIX}-renamed`, signal)).toBe(true);
      expect((await only(world)).name).toBe(`${PREFIX}-renamed`);
      expect(await engine.renameContainer(PREFIX, `${PREFIX}-again`, signal)).toBe(false);
    });

    it("takes a running container off its network, which can be removed then", async ({ world }) => {
      const { engine } = world;
      const { id } = await make(world);
      await engine.startContainer(id, signal);
      expect(await engine.disconnectContainer(PREFIX, id, signal)).toBe(true);
      expect(await engine.disconnectContainer(PREFIX, id, signal)).toBe(false);
      expect(await engine.disconnectContainer(`${PREFIX}-missing`, id, signal)).toBe(false);
      expect(await engine.removeNetwork(PREFIX, signal)).toBe(true);
    });

    it("reads the end of what a container wrote", async ({ world }) => {
      const { id } = await make(world);
      await world.engine.startContainer(id, signal);
      await expect.poll(() => world.engine.readLog(id, { lines: 2 }, signal)).toEqual(["two", "three"]);
      expect(await world.engine.readLog(`${PREFIX}-missing`, { lines: 2 }, signal)).toEqual([]);
    });

    it("removes a running container with its anonymous volumes", async ({ world }) => {
      const { engine } = world;
      const { id, mounts } = await make(world);
      await engine.startContainer(id, signal);
      const volume = mounts.find(({ destination }) => destination === "/kept")?.volume;
      const volumes = async () => (await engine.listVolumes([], signal)).map(({ name }) => name);
      expect(await volumes()).toContain(volume);
      expect(await engine.removeContainer(id, signal)).toBe(true);
      expect(await engine.removeContainer(id, signal)).toBe(false);
      expect(await volumes()).not.toContain(volume);
    });

    it("removes a container once, whoever else removes it at the same time", async ({ world }) => {
      const { id } = await make(world);
      await world.engine.startContainer(id, signal);
      await Promise.all(Array.from({ length: 4 }, () => world.engine.removeContainer(id, signal)));
      expect(await world.engine.listContainers(["drover.test=engine"], signal)).toEqual([]);
    });

    it("lists and removes networks and volumes, but for those in use", async ({ world }) => {
      const { engine } = world;
      const { id } = await make(world);
      await engine.startContainer(id, signal);
      await world.createVolume(PREFIX, LABELS);
      const [network] = await engine.listNetworks(["drover.test=engine"], signal);
      expect(network).toMatchObject({ name: PREFIX, labels: LABELS });
      expect(network?.subnets[0]).toMatch(/^\d+\.\d+\.\d+\.\d+\/\d+$/);
      expect(await engine.listVolumes(["drover.test=engine"], signal)).toEqual([{ name: PREFIX, labels: LABELS }]);
      await expect(engine.removeNetwork(PREFIX, signal)).rejects.toMatchObject({
        name: "EngineError",
        reason: "refused",
      });
      await engine.removeContainer(id, signal);
      expect(await engine.removeNetwork(PREFIX, signal)).toBe(true);
      expect(await engine.removeNetwork(PREFIX, signal)).toBe(false);
      expect(await engine.removeVolume(PREFIX, signal)).toBe(true);
      expect(await engine.removeVolume(PREFIX, signal)).toBe(false);
    });

    it("refuses to start what needs a port that another container has", async ({ world }) => {
      const { id } = await make(world);
      await world.engine.startContainer(id, signal);
      await world.createContainer({
        name: `${PREFIX}-other`,
        labels: { ...LABELS, "drover.test": "other" },
        mount: { source: world.folder, destination: "/seen" },
        volumeAt: "/kept",
        port: { container: 80, host: world.freePort },
        network: PREFIX,
        says: [],
        file: { path: "/etc/drover-said", content: "" },
      });
      await expect(world.engine.startContainer(`${PREFIX}-other`, signal)).rejects.toMatchObject({
        reason: "refused",
        message: expect.stringContaining("port is already allocated"),
      });
    });

    it("lists images by name and tag", async ({ world }) => {
      expect(await world.engine.listImages(signal)).toContain(world.image);
    });

    it("answers nothing when it was called off", async ({ world }) => {
      const asking = world.engine.listContainers([], AbortSignal.abort(new Error("no longer wanted")));
      await expect(asking).rejects.toMatchObject({ name: "EngineError", reason: "unreachable" });
    });
  });
}
