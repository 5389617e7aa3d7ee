import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../support/free-port.ts";

const START_DEADLINE_MS = 120_000;
const TOKEN = "crd-test";

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A Kubernetes API server of its own, with nothing behind it but etcd, on loopback. */
export class ApiServer {
  readonly folder: string;
  readonly #binaries: string;
  readonly #processes: ChildProcess[] = [];
  #port = 0;

  private constructor(binaries: string) {
    this.#binaries = binaries;
    this.folder = mkdtempSync(join(tmpdir(), "drover-crd-"));
  }

  static async start(): Promise<ApiServer> {
    const server = new ApiServer(findBinaries());
    try {
      await server.#launch();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  async #launch(): Promise<void> {
    const [api, client, peer] = [await findFreePort(), await findFreePort(), await findFreePort()];
    this.#port = api;
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const key = join(this.folder, "service-account.key");
    writeFileSync(key, privateKey.export({ type: "pkcs1", format: "pem" }), { mode: 0o600 });
    const tokens = join(this.folder, "tokens.csv");
    writeFileSync(tokens, `${TOKEN},admin,1,system:masters\n`, { mode: 0o600 });
    const etcd = `http://127.0.0.1:${client}`;
    const etcdFlags = ["--data-dir", join(this.folder, "etcd"), "--unsafe-no-fsync"];
    const peerFlags = ["--listen-peer-urls", `http://127.0.0.1:${peer}`];
    this.#spawn("etcd", [...etcdFlags, "--listen-client-urls", etcd, "--advertise-client-urls", etcd, ...peerFlags]);
    this.#spawn("kube-apiserver", [
      ...["--etcd-servers", etcd, "--bind-address", "127.0.0.1", "--secure-port", String(api)],
      ...["--cert-dir", this.folder, "--service-cluster-ip-range", "10.0.0.0/24"],
      ...["--service-account-issuer", "https://localhost", "--service-account-key-file", key],
      ...["--service-account-signing-key-file", key, "--token-auth-file", tokens],
      ...["--authorization-mode", "RBAC", "--disable-admission-plugins", "ServiceAccount"],
    ]);
    await this.#waitUntilReady();
  }

  #spawn(program: string, args: readonly string[]): void {
    const log = openSync(join(this.folder, `${program}.log`), "a", 0o600);
    this.#processes.push(spawn(join(this.#binaries, program), args, { stdio: ["ignore", log, log] }));
  }

  async #waitUntilReady(): Promise<void> {
    const deadline = Date.now() + START_DEADLINE_MS;
    while (Date.now() < deadline) {
      const ended = this.#processes.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);
      if (ended !== undefined) throw new Error(`${ended.spawnfile} ended by itself.\n${this.#logTail()}`);
      const answer = await this.call("GET", "/readyz").catch(() => undefined);
      if (answer?.status === 200) return;
      await sleep(100);
    }
    throw new Error(`The API server was not ready within ${START_DEADLINE_MS / 1000} s.\n${this.#logTail()}`);
  }

  #logTail(): string {
    const logs = ["etcd", "kube-apiserver"].map((program) => join(this.folder, `${program}.log`));
    return logs.map((log) => (existsSync(log) ? readFileSync(log, "utf8").slice(-2000) : "")).join("\n");
  }

  /** One request, with the certificate of this very server trusted and no other. */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const options = {
      method,
      path,
      host: "127.0.0.1",
      port: this.#port,
      ca: readFileSync(join(this.folder, "apiserver.crt")),
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(text === undefined ? {} : { "content-type": "application/json" }),
      },
    };
    return new Promise<Answer>((resolve, reject) => {
      const call = request(options, (response) => {
        let answer = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          answer += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: parse(answer) }));
        response.on("error", reject);
      });
      call.on("error", reject);
      call.end(text);
    });
  }

  kubeconfig({ token = TOKEN, port = this.#port }: { token?: string; port?: number } = {}): string {
    const authority = readFileSync(join(this.folder, "apiserver.crt")).toString("base64");
    return JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "test",
      contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
      clusters: [
        { name: "test", cluster: { server: `https://127.0.0.1:${port}`, "certificate-authority-data": authority } },
      ],
      users: [{ name: "test", user: { token } }],
    });
  }

  /** What kubectl prints. Throws with its complaint when it fails. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const flags = [
      ...["--server", `https://127.0.0.1:${this.#port}`, "--token", TOKEN, "--kubeconfig", "/dev/null"],
      ...["--certificate-authority", join(this.folder, "apiserver.crt"), "--cache-dir", join(this.folder, "cache")],
    ];
    const child = spawn(join(this.#binaries, "kubectl"), [...flags, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let complaint = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("close", resolve);
      child.on("error", reject);
    });
    if (code !== 0) throw new Error(`kubectl ${args.join(" ")} ended with ${code}: ${complaint}`);
    return output;
  }

  async stop(): Promise<void> {
    for (const child of this.#processes.toReversed()) await end(child);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { text };
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(killer);
}

function findBinaries(): string {
  const folder = process.env.KUBEBUILDER_ASSETS ?? "";
  const missing = ["etcd", "kube-apiserver", "kubectl"].filter((name) => !existsSync(join(folder, name)));
  if (folder !== "" && missing.length === 0) return folder;
  const fact = folder === "" ? "KUBEBUILDER_ASSETS is not set" : `${folder} lacks ${missing.join(", ")}`;
  throw new Error(
    `${fact}. This suite needs a real API server: set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kubectl.`,
  );
}
