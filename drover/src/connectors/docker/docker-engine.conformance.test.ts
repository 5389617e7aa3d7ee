import { askDocker, findFreePort, putFile, startFakeDocker } from "../../../test/fake-docker/fake-engine-world.ts";
import { describeContainerEngine } from "../../ports/container-engine.conformance.ts";
import { DockerEngine } from "./docker-engine.ts";

const IMAGE = "example/node:1";

describeContainerEngine({
  name: "a fake Docker daemon",
  create: async () => {
    const { daemon, folder, dispose } = await startFakeDocker([IMAGE]);
    const engine = new DockerEngine({ host: daemon.host, certificates: null });
    const ask = (method: string, path: string, body?: object) => askDocker(daemon.socket, method, path, body);
    return {
      engine,
      image: IMAGE,
      folder,
      freePort: await findFreePort(),
      createContainer: async ({ name, labels, mount, volumeAt, port, network, says, file }) => {
        await ask("POST", `/containers/create?name=${name}`, {
          Image: IMAGE,
          Labels: labels,
          Volumes: { [volumeAt]: {} },
          HostConfig: {
            Binds: [`${mount.source}:${mount.destination}:ro`],
            NetworkMode: network,
            PortBindings: { [`${port.container}/tcp`]: [{ HostIp: "127.0.0.1", HostPort: String(port.host) }] },
          },
        });
        await putFile(daemon.socket, name, file.path, file.content);
        daemon.state.findContainer(name).log.push(...says);
      },
      createNetwork: async (name, labels) =>
        void (await ask("POST", "/networks/create", { Name: name, Labels: labels })),
      createVolume: async (name, labels) => void (await ask("POST", "/volumes/create", { Name: name, Labels: labels })),
      dispose: async () => {
        engine.close();
        await dispose();
      },
    };
  },
});
