import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { type IncomingMessage, request as requestByHttp } from "node:http";
import { request as requestByHttps } from "node:https";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DroverError } from "@drover/contract";
import type { BackupPlace } from "../../domain/backup.ts";
import { textAt } from "../../domain/json-fields.ts";
import { assertAllowedHost, guardedLookup } from "../../lib/guarded-lookup.ts";
import { NAMED_SECRETS } from "../../ports/store/index.ts";
import type { ArchiveParts, BackupFiles } from "./parts.ts";
import { regionOf, type S3Keys, signS3Request } from "./sign-s3-request.ts";

type S3Place = Extract<BackupPlace, { type: "s3" }>;

/** Of an empty body. */
const EMPTY_SHA256 = createHash("sha256").digest("hex");
/** Without a byte for that long the other side is gone. */
const SILENCE_MS = 60_000;
const NAMES = ["manifest.json", "keys.sealed", "snapshot.db"];

interface Answer {
  readonly status: number;
  readonly message: IncomingMessage;
}

/** The files of one backup as objects of a store of the S3 kind. */
export class S3Files implements BackupFiles {
  readonly #place: S3Place;
  readonly #parts: Pick<ArchiveParts, "clock" | "readSecret">;

  constructor(place: S3Place, parts: Pick<ArchiveParts, "clock" | "readSecret">) {
    this.#place = place;
    this.#parts = parts;
  }

  /** The store refuses a body that is not what its checksum says, and shows an object only once it has all of it. */
  async put(name: string, from: string, signal: AbortSignal): Promise<void> {
    const [{ size }, sha256] = [await stat(from), await hashOf(from)];
    const body = { size, sha256, open: () => createReadStream(from) };
    const answer = await this.#ask("PUT", name, signal, body);
    await this.#expect(answer, name, [200, 201, 204]);
    const head = await this.#ask("HEAD", name, signal);
    await this.#expect(head, name, [200]);
    if (head.message.headers["content-length"] !== String(size)) {
      throw this.#refused(name, `it took ${head.message.headers["content-length"]} of ${size} bytes`);
    }
  }

  async get(name: string, to: string, signal: AbortSignal): Promise<boolean> {
    const answer = await this.#ask("GET", name, signal);
    if (answer.status === 404) {
      answer.message.resume();
      return false;
    }
    if (answer.status !== 200) await this.#expect(answer, name, [200]);
    const temporary = `${to}.${randomBytes(6).toString("hex")}.tmp`;
    try {
      await pipeline(answer.message, createWriteStream(temporary, { mode: 0o600 }), { signal });
      await rename(temporary, to);
    } catch (error) {
      await rm(temporary, { force: true });
      signal.throwIfAborted();
      throw this.#refused(name, (error as Error).message);
    }
    return true;
  }

  /** The manifest first: what has none is no backup. */
  async remove(signal: AbortSignal): Promise<void> {
    for (const name of NAMES) {
      await this.#expect(await this.#ask("DELETE", name, signal), name, [200, 202, 204, 404]);
    }
  }

  async #expect({ status, message }: Answer, name: string, wanted: readonly number[]): Promise<void> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of message as AsyncIterable<Buffer>) {
      if (length < 4_096) chunks.push(chunk);
      length += chunk.length;
    }
    if (wanted.includes(status)) return;
    const text = Buffer.concat(chunks).toString("utf8");
    const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1];
    throw this.#refused(name, `it answered ${status}${code === undefined ? "" : ` (${code})`}`);
  }

  async #ask(
    method: string,
    name: string,
    signal: AbortSignal,
    body: { size: number; sha256: string; open: () => Readable } | null = null,
  ): Promise<Answer> {
    const { url: base, bucket, prefix } = this.#place;
    const key = [bucket, ...prefix.split("/"), name].map(encode).join("/");
    const url = new URL(`${base.replace(/\/+$/, "")}/${key}`);
    const contentSha256 = body?.sha256 ?? EMPTY_SHA256;
    const keys = await this.#readKeys();
    const signed = { method, url, region: keys?.region ?? regionOf(url), contentSha256, at: this.#parts.clock.now() };
    const headers = {
      ...signS3Request(signed, keys),
      ...(body === null ? {} : { "content-length": String(body.size) }),
    };
    const send = url.protocol === "https:" ? requestByHttps : requestByHttp;
    try {
      assertAllowedHost(url);
      return await new Promise<Answer>((resolve, reject) => {
        const asked = send(url, { method, headers, signal, lookup: guardedLookup });
        asked.setTimeout(SILENCE_MS, () => asked.destroy(new Error("it says nothing")));
        asked.once("error", reject);
        asked.once("response", (message) => resolve({ status: message.statusCode ?? 0, message }));
        if (body === null) asked.end();
        // Its failure is that of the request.
        else pipeline(body.open(), asked).catch(reject);
      });
    } catch (error) {
      signal.throwIfAborted();
      throw this.#refused(name, (error as Error).message, error);
    }
  }

  async #readKeys(): Promise<(S3Keys & { readonly region: string | undefined }) | null> {
    const { credential } = this.#place;
    if (credential === null) return null;
    const bytes = await this.#parts.readSecret(NAMED_SECRETS, credential);
    const entries: unknown = bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes));
    const [accessKeyId, secretAccessKey] = [textAt(entries, "accessKeyId"), textAt(entries, "secretAccessKey")];
    if (!accessKeyId || !secretAccessKey) {
      const message = `The secret ${credential} for backups needs the entries accessKeyId and secretAccessKey.`;
      throw new DroverError("secret-not-found", message);
    }
    const sessionToken = textAt(entries, "sessionToken");
    return {
      ...{ accessKeyId, secretAccessKey, region: textAt(entries, "region") ?? undefined },
      ...(sessionToken === null ? {} : { sessionToken }),
    };
  }

  #refused(name: string, why: string, cause?: unknown): DroverError {
    const { url, bucket, prefix } = this.#place;
    return new DroverError("backup-store-refused", `${url}, ${bucket}/${prefix}/${name}: ${why}.`, { cause });
  }
}

const encode = (part: string): string =>
  encodeURIComponent(part).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
