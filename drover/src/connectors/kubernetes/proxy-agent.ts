import { request } from "node:http";
import { Agent, type AgentOptions, request as requestSecurely } from "node:https";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";

const CONNECT_MS = 10_000;

/** An agent whose connections go through an HTTP proxy; what is said inside them, the proxy cannot read. */
export class ProxyAgent extends Agent {
  readonly #proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(
    options: ConnectionOptions & { host?: string; port?: number },
    tell?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    openSecured(this.#proxy, options).then(
      (socket) => tell?.(null, socket),
      // The type wants a stream beside the error; Node.js does not look at it.
      (error: Error) => tell?.(error, undefined as unknown as Duplex),
    );
    return undefined;
  }
}

async function openSecured(
  proxy: URL,
  options: ConnectionOptions & { host?: string; port?: number },
): Promise<TLSSocket> {
  const socket = await openTunnel(proxy, `${options.host}:${options.port}`);
  return await new Promise((resolve, reject) => {
    const secured = connect({ ...options, socket });
    secured.once("secureConnect", () => resolve(secured));
    secured.once("error", reject);
  });
}

function openTunnel(proxy: URL, authority: string): Promise<Duplex> {
  const { username, password } = proxy;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return new Promise((resolve, reject) => {
    const send = proxy.protocol === "https:" ? requestSecurely : request;
    const asking = send({
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port === "" ? (proxy.protocol === "https:" ? 443 : 80) : Number(proxy.port),
      method: "CONNECT",
      path: authority,
      headers: {
        host: authority,
        ...(username === "" ? {} : { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` }),
      },
      agent: false,
      timeout: CONNECT_MS,
    });
    asking.once("connect", ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`The proxy ${proxy.host} answered ${statusCode}.`));
    });
    asking.once("timeout", () => asking.destroy(new Error(`The proxy ${proxy.host} does not answer.`)));
    asking.once("error", reject);
    asking.end();
  });
}
