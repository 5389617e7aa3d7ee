import { request } from "node:http";

/** Ends the program with exit code 1. */
export class KindFailure extends Error {}

export class DockerRefusal extends Error {}

/** Without a terminal, kind says everything on standard error. */
export const say = (line) => void process.stderr.write(`${line}\n`);

const HOST = process.env.DOCKER_HOST ?? "unix:///var/run/docker.sock";

export function askDocker(method, path, body) {
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const asking = request({ socketPath: HOST.replace("unix://", ""), method, path }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.once("end", () => {
        const text = Buffer.concat(parts).toString("utf8");
        const json = /^[[{"]/.test(text) ? JSON.parse(text) : null;
        if (answer.statusCode >= 400) reject(new DockerRefusal(json?.message ?? `status ${answer.statusCode}`));
        else resolve(json);
      });
    });
    asking.once("error", () => {
      const message = `Cannot connect to the Docker daemon at ${HOST}. Is the docker daemon running?`;
      reject(new KindFailure(`failed to list nodes: command "docker ps" failed\n\nCommand Output: ${message}`));
    });
    asking.end(bytes);
  });
}
