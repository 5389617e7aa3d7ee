import { createHash, createHmac } from "node:crypto";

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface S3Request {
  readonly method: string;
  readonly url: URL;
  readonly region: string;
  /** Of the body, in hexadecimal. */
  readonly contentSha256: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The headers by which a store of the S3 kind knows who asks, and that nothing was changed on the way (version 4). */
export function signS3Request(request: S3Request, keys: S3Keys | null): Readonly<Record<string, string>> {
  const stamp = new Date(request.at).toISOString().replace(/[-:]|\.\d{3}/g, "");
  const own = { host: request.url.host, "x-amz-content-sha256": request.contentSha256, "x-amz-date": stamp };
  if (keys === null) return own;
  const headers: Record<string, string> = {
    ...own,
    ...(keys.sessionToken === undefined ? {} : { "x-amz-security-token": keys.sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    request.method,
    request.url.pathname,
    request.url.searchParams.toString(),
    ...names.map((name) => `${name}:${headers[name]}`),
    "",
    names.join(";"),
    request.contentSha256,
  ].join("\n");
  const scope = `${stamp.slice(0, 8)}/${request.region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", stamp, scope, sha256(canonical)].join("\n");
  const key = scope
    .split("/")
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${keys.secretAccessKey}`);
  const signature = hmac(key, text).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return { ...headers, authorization };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** `s3.eu-west-1.amazonaws.com` says where it is; stores elsewhere take the usual name. */
export function regionOf({ hostname }: URL): string {
  return /(?:^|\.)s3[.-]([a-z]{2}-[a-z]+-\d)\.amazonaws\./.exec(hostname)?.[1] ?? "us-east-1";
}
