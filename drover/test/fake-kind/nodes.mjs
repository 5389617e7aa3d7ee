import { askDocker } from "./docker.mjs";
import { makeTar } from "./tar.mjs";

const CLUSTER_LABEL = "io.x-k8s.kind.cluster";
const ROLE_LABEL = "io.x-k8s.kind.role";

export async function containersOf(cluster) {
  const label = cluster === undefined ? CLUSTER_LABEL : `${CLUSTER_LABEL}=${cluster}`;
  return await askDocker(
    "GET",
    `/containers/json?all=1&filters=${encodeURIComponent(JSON.stringify({ label: [label] }))}`,
  );
}

export async function deleteNodes(cluster) {
  const nodes = await containersOf(cluster);
  for (const { Id } of nodes) await askDocker("DELETE", `/containers/${Id}?force=1&v=1`);
  return nodes.map(({ Names }) => Names[0].slice(1));
}

/** `docker run`: a container that cannot be started stays. */
export async function runContainer({ name, cluster, role, image, network, mounts = [], ports = [] }) {
  const bindings = {};
  for (const { containerPort, hostPort, listenAddress = "0.0.0.0", protocol = "TCP" } of ports) {
    const key = `${containerPort}/${protocol.toLowerCase()}`;
    bindings[key] = [...(bindings[key] ?? []), { HostIp: listenAddress, HostPort: String(hostPort ?? 0) }];
  }
  await askDocker("POST", `/containers/create?name=${name}`, {
    Image: image,
    Tty: true,
    Labels: { [CLUSTER_LABEL]: cluster, [ROLE_LABEL]: role },
    Volumes: role === "external-load-balancer" ? {} : { "/var": {} },
    HostConfig: {
      NetworkMode: network,
      PortBindings: bindings,
      Binds: mounts.map(
        ({ hostPath, containerPath, readOnly }) => `${hostPath}:${containerPath}${readOnly ? ":ro" : ""}`,
      ),
    },
  });
  await askDocker("POST", `/containers/${name}/start`);
}

export async function putFile(container, path, content) {
  const archive = makeTar(path.slice(1), content);
  await askDocker("PUT", `/containers/${container}/archive?path=${encodeURIComponent("/")}`, archive);
}
