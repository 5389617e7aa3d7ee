import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const S3_KEYS = { accessKeyId: "AKFAKE", secretAccessKey: "not-so-secret" };

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** A store of the S3 kind for one bucket that believes nobody: signature and checksum of every request are worked out. */
export class FakeS3 {
  readonly objects = new Map<string, Buffer>();
  readonly asked: string[] = [];
  /** Answers every request with this instead. */
  broken: number | null = null;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async open(): Promise<FakeS3> {
    const store = new FakeS3();
    await new Promise<void>((resolve) => store.#server.listen(0, "127.0.0.1", resolve));
    return store;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method = "", url = "" } = request;
    this.asked.push(`${method} ${url}`);
    const refusal = this.#refuse(request, body);
    if (refusal !== null) {
      const [status, code] = refusal;
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
      return;
    }
    const found = this.objects.get(url);
    if (method === "PUT") {
      this.objects.set(url, body);
      response.writeHead(200).end();
    } else if (method === "DELETE") {
      this.objects.delete(url);
      response.writeHead(204).end();
    } else if (found === undefined) {
      response.writeHead(404).end();
    } else {
      response.writeHead(200, { "content-length": found.length }).end(method === "HEAD" ? undefined : found);
    }
  }

  #refuse(request: IncomingMessage, body: Buffer): readonly [number, string] | null {
    if (this.broken !== null) return [this.broken, "InternalError"];
    if (request.headers["x-amz-content-sha256"] !== sha256(body)) return [400, "XAmzContentSHA256Mismatch"];
    return this.#isSigned(request) ? null : [403, "SignatureDoesNotMatch"];
  }

  /** As the description of signature version 4 has it. */
  #isSigned({ method = "", url = "", headers }: IncomingMessage): boolean {
    const found =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
        headers.authorization ?? "",
      );
    if (found === null) return false;
    const [, keyId, day = "", region = "", names = "", signature = ""] = found;
    const stamp = String(headers["x-amz-date"]);
    if (keyId !== S3_KEYS.accessKeyId || !stamp.startsWith(day)) return false;
    if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => names.split(";").includes(name))) return false;
    const [path = "", query = ""] = url.split("?");
    const signed = names.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
    const canonical = [method, path, query, signed.join(""), names, headers["x-amz-content-sha256"]].join("\n");
    const scope = `${day}/${region}/s3/aws4_request`;
    const key = hmac(hmac(hmac(hmac(`AWS4${S3_KEYS.secretAccessKey}`, day), region), "s3"), "aws4_request");
    const wanted = hmac(key, ["AWS4-HMAC-SHA256", stamp, scope, sha256(canonical)].join("\n"));
    const given = Buffer.from(signature, "hex");
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
}
