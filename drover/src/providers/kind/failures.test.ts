import { expect, it } from "vitest";
import { explainFailure } from "./failures.ts";

const explain = (stderr: string) => {
  const { code, message } = explainFailure("Creating the cluster", { ok: false, exitCode: 1, stdout: "", stderr });
  return [code, message];
};

it("names the image that cannot be pulled, and why", () => {
  const stderr = `Creating cluster "a" ...
 ✗ Ensuring node image (nosuch/image:v1.34.4) 🖼️
ERROR: failed to create cluster: failed to pull image "nosuch/image:v1.34.4": command "docker pull nosuch/image:v1.34.4" failed with error: exit status 1

Command Output: Error response from daemon: Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: no such host
`;
  expect(explain(stderr)).toEqual([
    "image-missing",
    'The image nosuch/image:v1.34.4 is not in Docker and cannot be pulled: Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: no such host. Load it with `docker load`, or declare another image or version.',
  ]);
});

it("names the port that is taken", () => {
  const stderr = `ERROR: failed to create cluster: command "docker run --name a-control-plane" failed with error: exit status 125

Command Output: aee9cb0a4ed312fa
docker: Error response from daemon: driver failed programming external connectivity on endpoint a-control-plane (16c2): Error starting userland proxy: listen tcp4 127.0.0.1:18999: bind: address already in use

Run 'docker run --help' for more information
`;
  expect(explain(stderr)).toEqual([
    "port-taken",
    "127.0.0.1:18999 is used by another program of this machine. End that, or choose another port.",
  ]);
});

it("says that Docker does not answer", () => {
  const stderr =
    "ERROR: failed to list nodes: Command Output: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?";
  expect(explain(stderr)).toEqual([
    "docker-unreachable",
    "Docker at unix:///var/run/docker.sock does not answer. Start it, or look whether it was restarted.",
  ]);
});

it("says what the host lacks when the nodes do not come up", () => {
  const stderr =
    'ERROR: failed to create cluster: could not find a log line that matches "Reached target .*Multi-User System.*|detected cgroup v1"';
  const [code, message] = explain(stderr);
  expect([code, message]).toEqual(["step-failed", expect.stringContaining("fs.inotify.max_user_instances=512")]);
});

it("puts the cause that kubeadm names before what kind says of it", () => {
  const stderr = `ERROR: failed to create cluster: failed to init node with kubeadm: command "docker exec" failed with error: exit status 1

Command Output: I0101 initconfiguration.go:261] loading configuration
[preflight] Some fatal errors occurred:
	[ERROR Port-6443]: Port 6443 is in use
`;
  expect(explain(stderr)[1]).toBe("Creating the cluster failed: [ERROR Port-6443]: Port 6443 is in use");
});

it("says at least how kind ended", () => {
  expect(explain("")[1]).toBe("Creating the cluster failed: kind ended with exit code 1");
  expect(explain("ERROR: failed to create cluster: something new\n")[1]).toBe(
    "Creating the cluster failed: something new",
  );
});
