import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { stringify } from "yaml";
import { Authority, type Certificate } from "./certificates.ts";
import { type Answer, FakeObjects } from "./fake-objects.ts";
import { isAllowed } from "./fake-rbac.ts";

export interface FakeKubernetesOptions {
  readonly version?: string;
  readonly serverCertificateEnds?: number;
  readonly clientCertificateEnds?: number;
}

const TOKEN = "fake-token";

/** A Kubernetes API of its own on loopback, with real TLS and a small world behind it. */
export class FakeKubernetes {
  readonly objects: FakeObjects;
  /** What was asked, in order: `GET /readyz`. */
  readonly requests: string[] = [];
  readonly token = TOKEN;
  /** What `/readyz` answers. */
  ready = true;
  /** Paths that are refused with 403. */
  readonly forbidden: RegExp[] = [];
  /** Called before each answer: to hold it back, or to break it. */
  disturb: ((request: IncomingMessage, response: ServerResponse) => Promise<boolean>) | null = null;
  readonly #bearer = `Bearer ${TOKEN}`;
  readonly #authority = new Authority();
  readonly #client: Certificate;
  readonly #options: FakeKubernetesOptions;
  #server: Server | null = null;
  #port = 0;

  private constructor(options: FakeKubernetesOptions) {
    this.#options = options;
    this.objects = new FakeObjects();
    const { clientCertificateEnds: endsAt } = options;
    this.#client = this.#authority.issue({
      ...{ commonName: "admin", organization: "system:masters" },
      ...(endsAt === undefined ? {} : { endsAt }),
    });
  }

  static async start(options: FakeKubernetesOptions = {}): Promise<FakeKubernetes> {
    const fake = new FakeKubernetes(options);
    await fake.listen();
    return fake;
  }

  get server(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  get connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server?.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  }

  /** Again on the same port after `stop`, as a restart would. */
  async listen(): Promise<void> {
    const { serverCertificateEnds: endsAt } = this.#options;
    const shown = this.#authority.issue({
      ...{ commonName: "kube-apiserver", addresses: ["127.0.0.1"] },
      ...(endsAt === undefined ? {} : { endsAt }),
    });
    const tls = { ...shown, ca: this.#authority.cert, requestCert: true, rejectUnauthorized: false };
    const server = createServer(tls, (request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.#port, "127.0.0.1", resolve);
    });
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  /** A kubeconfig for it; parts of cluster and user can be replaced. */
  kubeconfig(more: { cluster?: Record<string, unknown>; user?: Record<string, unknown> } = {}): string {
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const cluster = { server: this.server, "certificate-authority-data": base64(this.#authority.cert) };
    const user = {
      "client-certificate-data": base64(this.#client.cert),
      "client-key-data": base64(this.#client.key),
    };
    return stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "admin@fake",
      contexts: [{ name: "admin@fake", context: { cluster: "fake", user: "admin" } }],
      clusters: [{ name: "fake", cluster: { ...cluster, ...more.cluster } }],
      users: [{ name: "admin", user: more.user ?? user }],
    });
  }

  /** What the kubeconfig holds, for files and credential programs. */
  get material(): { readonly ca: string; readonly client: Certificate } {
    return { ca: this.#authority.cert, client: this.#client };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url = "/" } = request;
    this.requests.push(`${method} ${url}`);
    let text = "";
    for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString();
    if (this.disturb !== null && (await this.disturb(request, response))) return;
    const answer = this.#decide(request, method, url, text);
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
  }

  #decide(request: IncomingMessage, method: string, url: string, text: string): Answer {
    const { pathname, searchParams } = new URL(url, this.server);
    const { authorization = this.#bearer } = request.headers;
    const account = this.objects.accountOf(authorization.replace(/^Bearer /, ""));
    if (authorization !== this.#bearer && account === null) return failure(401, "Unauthorized");
    if (pathname === "/readyz") return this.ready ? { status: 200, body: "ok" } : { status: 500, body: "not ok" };
    if (pathname === "/version") {
      return { status: 200, body: { gitVersion: this.#options.version ?? "v1.34.4" } };
    }
    if (account !== null && !isAllowed(this.objects, account, method, pathname)) {
      return failure(403, `${account} may not ${method} "${pathname}"`);
    }
    if (account === null && !this.#isKnown(request)) return failure(401, "Unauthorized");
    if (this.forbidden.some((path) => path.test(pathname))) return failure(403, `"${pathname}" is forbidden`);
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    return this.objects.handle(method, pathname, searchParams, body);
  }

  #isKnown({ socket, headers }: IncomingMessage): boolean {
    return (socket as TLSSocket).authorized || headers.authorization === this.#bearer;
  }
}

export const failure = (status: number, message: string): Answer => ({
  status,
  body: { kind: "Status", apiVersion: "v1", status: "Failure", message, code: status },
});
