import { readFirstFile } from "../../lib/read-tar.ts";
import { makeTar } from "../../lib/tar.ts";
import {
  type Container,
  type ContainerEngine,
  EngineError,
  type EngineInfo,
  type EngineNetwork,
  type EngineVolume,
  type LabelFilter,
} from "../../ports/container-engine.ts";
import type { AddressSettings } from "./docker-address.ts";
import { type Answer, DockerClient, type Question } from "./docker-client.ts";
import {
  readContainers,
  readImages,
  readInfo,
  readJson,
  readNetworks,
  readRefusal,
  readVolumes,
} from "./read-answers.ts";
import { readLogLines } from "./read-log-frames.ts";

/** Nodes with much on their disk take long to be removed. */
const REMOVAL_MS = 120_000;
/** Beyond the grace that a container was given. */
const STOP_SLACK_MS = 30_000;
const START_MS = 60_000;
/** The container is being removed for somebody else, or was told to be just before. */
const UNDER_WAY = /already in progress/;
/** Which of the two it is depends on the version of the engine. */
const NOT_CONNECTED = /is not connected to (the )?network/;

/** The Docker host of this process, asked over the Engine API. */
export class DockerEngine implements ContainerEngine {
  readonly #client: DockerClient;

  constructor(settings: AddressSettings) {
    this.#client = new DockerClient(settings);
  }

  async describe(signal: AbortSignal): Promise<EngineInfo> {
    const answer = await this.#expect({ method: "GET", path: "/info", signal });
    const version = answer.headers["api-version"];
    return readInfo(readJson(answer.body), typeof version === "string" ? version : "");
  }

  async listContainers(labels: LabelFilter, signal: AbortSignal): Promise<readonly Container[]> {
    return readContainers(await this.#read("/containers/json", { all: "1", ...filterBy(labels) }, signal));
  }

  async listNetworks(labels: LabelFilter, signal: AbortSignal): Promise<readonly EngineNetwork[]> {
    return readNetworks(await this.#read("/networks", filterBy(labels), signal));
  }

  async listVolumes(labels: LabelFilter, signal: AbortSignal): Promise<readonly EngineVolume[]> {
    return readVolumes(await this.#read("/volumes", filterBy(labels), signal));
  }

  async listImages(signal: AbortSignal): Promise<readonly string[]> {
    return readImages(await this.#read("/images/json", {}, signal));
  }

  async readFile(container: string, path: string, signal: AbortSignal): Promise<Uint8Array | null> {
    const question: Question = { method: "GET", path: `${at(container)}/archive`, query: { path }, signal };
    const answer = await this.#expect(question, [404]);
    return answer.status === 404 ? null : readFirstFile(answer.body);
  }

  async writeFile(container: string, path: string, content: string, signal: AbortSignal): Promise<boolean> {
    const archive = makeTar([{ name: path.replace(/^\/+/, ""), content }], 0);
    const body = { type: "application/x-tar", bytes: archive };
    const query = { path: "/" };
    return await this.#act({ method: "PUT", path: `${at(container)}/archive`, query, body, signal });
  }

  async readLog(container: string, { lines }: { lines: number }, signal: AbortSignal): Promise<readonly string[]> {
    const about = await this.#expect({ method: "GET", path: `${at(container)}/json`, signal }, [404]);
    if (about.status === 404) return [];
    const { Config } = readJson(about.body) as { Config?: { Tty?: boolean } };
    const query = { stdout: "1", stderr: "1", tail: String(lines) };
    const answer = await this.#expect({ method: "GET", path: `${at(container)}/logs`, query, signal }, [404]);
    return answer.status === 404 ? [] : readLogLines(answer.body, Config?.Tty === true);
  }

  async startContainer(container: string, signal: AbortSignal): Promise<boolean> {
    return await this.#act({ method: "POST", path: `${at(container)}/start`, signal, deadlineMs: START_MS });
  }

  async stopContainer(container: string, options: { graceSeconds: number }, signal: AbortSignal): Promise<boolean> {
    const { graceSeconds } = options;
    const deadlineMs = graceSeconds * 1000 + STOP_SLACK_MS;
    const query = { t: String(graceSeconds) };
    return await this.#act({ method: "POST", path: `${at(container)}/stop`, query, signal, deadlineMs });
  }

  async removeContainer(container: string, signal: AbortSignal): Promise<boolean> {
    const deadlineMs = REMOVAL_MS;
    const query = { force: "1", v: "1" };
    const question: Question = { method: "DELETE", path: at(container), query, signal, deadlineMs };
    const answer = await this.#expect(question, [404, 409]);
    if (answer.status !== 409) return answer.status !== 404;
    if (!UNDER_WAY.test(readRefusal(answer.body))) throw this.#refused(question, answer);
    const gone = { condition: "removed" };
    await this.#expect({ method: "POST", path: `${at(container)}/wait`, query: gone, signal, deadlineMs }, [404]);
    return true;
  }

  async renameContainer(container: string, name: string, signal: AbortSignal): Promise<boolean> {
    return await this.#act({ method: "POST", path: `${at(container)}/rename`, query: { name }, signal });
  }

  async disconnectContainer(network: string, container: string, signal: AbortSignal): Promise<boolean> {
    const path = `/networks/${encodeURIComponent(network)}/disconnect`;
    const body = json({ Container: container, Force: true });
    const question: Question = { method: "POST", path, body, signal };
    const answer = await this.#expect(question, [403, 404, 500]);
    if (answer.status < 400) return true;
    if (answer.status === 404 || NOT_CONNECTED.test(readRefusal(answer.body))) return false;
    throw this.#refused(question, answer);
  }

  async removeNetwork(network: string, signal: AbortSignal): Promise<boolean> {
    return await this.#remove(`/networks/${encodeURIComponent(network)}`, signal);
  }

  async removeVolume(volume: string, signal: AbortSignal): Promise<boolean> {
    return await this.#remove(`/volumes/${encodeURIComponent(volume)}`, signal);
  }

  close(): void {
    this.#client.close();
  }

  async #read(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown> {
    return readJson((await this.#expect({ method: "GET", path, query, signal })).body);
  }

  async #remove(path: string, signal: AbortSignal): Promise<boolean> {
    return (await this.#expect({ method: "DELETE", path, signal }, [404])).status !== 404;
  }

  /** Whether the container was there. What else of it was not found, such as its network, is a refusal. */
  async #act(question: Question): Promise<boolean> {
    const answer = await this.#expect(question, [404]);
    if (answer.status !== 404) return true;
    if (/no such container/i.test(readRefusal(answer.body))) return false;
    throw this.#refused(question, answer);
  }

  async #expect(question: Question, alsoFine: readonly number[] = []): Promise<Answer> {
    const answer = await this.#client.ask(question);
    if (answer.status < 400 || alsoFine.includes(answer.status)) return answer;
    throw this.#refused(question, answer);
  }

  #refused({ method, path }: Question, { status, body }: Answer): EngineError {
    return new EngineError("refused", `Docker refused ${method} ${path} (${status}): ${readRefusal(body)}`);
  }
}

const at = (container: string): string => `/containers/${encodeURIComponent(container)}`;

const json = (value: object) => ({ type: "application/json", bytes: Buffer.from(JSON.stringify(value)) });

const filterBy = (labels: LabelFilter): Readonly<Record<string, string>> =>
  labels.length === 0 ? {} : { filters: JSON.stringify({ label: labels }) };
