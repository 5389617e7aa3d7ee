import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { FakeS3, S3_KEYS } from "../../../test/fake-s3/fake-s3.ts";
import type { BackupPlace } from "../../domain/backup.ts";
import type { BackupArchive, BackupDestination } from "../../ports/backup-archive.ts";
import { systemClock } from "../../ports/clock.ts";
import { makeBackupArchive } from "./backup-archive.ts";
import { signS3Request } from "./sign-s3-request.ts";

const { signal } = new AbortController();

let folder: string;
let store: FakeS3;
let secrets: Record<string, unknown>;
let archive: BackupArchive;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drover-backups-"));
  store = await FakeS3.open();
  secrets = { keys: S3_KEYS };
  archive = makeBackupArchive({
    ...{ folder: join(folder, "own"), host: "h1", clock: systemClock, seal: () => "", open: () => new Uint8Array() },
    readSecret: async (_owner, name) => (name in secrets ? Buffer.from(JSON.stringify(secrets[name])) : null),
  });
  await writeFile(join(folder, "snapshot"), "the database");
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
});

const put = (place: BackupPlace, name: string) => archive.put(place, name, join(folder, "snapshot"), signal);
const destinations: readonly (readonly [string, () => BackupDestination | undefined])[] = [
  ["a folder of Drover's own", () => undefined],
  ["a folder", () => ({ type: "directory", path: join(folder, "given") })],
  [
    "an S3-compatible store",
    () => ({ type: "s3", url: store.url, bucket: "b", prefix: "drover/it's (1)", credential: { name: "keys" } }),
  ],
];

describe.each(destinations)("in %s", (_name, destination) => {
  it("a backup is put, read back and removed, and others stay", async () => {
    const [one, other] = ["1", "2"].map((id) => archive.placeFor(destination(), "dev", id)) as [
      BackupPlace,
      BackupPlace,
    ];
    for (const name of ["snapshot.db", "keys.sealed", "manifest.json"]) {
      await put(one, name);
      await put(other, name);
    }
    await put(one, "snapshot.db");
    const to = join(folder, "back");
    expect(await archive.get(one, "snapshot.db", to, signal)).toBe(true);
    expect(await readFile(to, "utf8")).toBe("the database");
    await archive.remove(one, signal);
    await archive.remove(one, signal);
    expect(await archive.get(one, "manifest.json", to, signal)).toBe(false);
    expect(await archive.get(other, "manifest.json", to, signal)).toBe(true);
    expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(archive.reaches(one)).toBe(true);
  });
});

describe("a folder", () => {
  it("is for its owner alone, and is only to be had on its host", async () => {
    const place = archive.placeFor(undefined, "dev", "1");
    await put(place, "snapshot.db");
    if (place.type !== "directory") throw new Error("no folder");
    expect(((await stat(place.path)).mode & 0o777).toString(8)).toBe("700");
    expect(archive.reaches({ ...place, host: "h2" })).toBe(false);
  });

  it("that cannot be written says so", async () => {
    const place: BackupPlace = { type: "directory", host: "h1", path: join(folder, "snapshot", "1") };
    await expect(put(place, "snapshot.db")).rejects.toMatchObject({
      code: "backup-store-refused",
      message: expect.stringMatching(/ENOTDIR/),
    });
  });

  it("for files on their way is the job's own, and goes", async () => {
    const own = await archive.openWorkFolder("job-1");
    await writeFile(join(own, "x"), "x");
    expect(await archive.openWorkFolder("job-1")).toBe(own);
    await archive.clearWorkFolder("job-1");
    expect(await readdir(join(own, ".."))).toEqual([]);
  });
});

describe("an S3-compatible store", () => {
  const s3 = (more: object = {}) =>
    archive.placeFor({ type: "s3", url: store.url, bucket: "b", credential: { name: "keys" }, ...more }, "dev", "1");

  it("refuses another key, and what it answers is told", async () => {
    secrets["keys"] = { ...S3_KEYS, secretAccessKey: "wrong" };
    const refused = { code: "backup-store-refused", message: /403 \(SignatureDoesNotMatch\)/ };
    await expect(put(s3(), "snapshot.db")).rejects.toMatchObject(refused);
    await expect(put(s3({ credential: undefined }), "snapshot.db")).rejects.toMatchObject(refused);
    expect(store.objects.size).toBe(0);
    store.broken = 503;
    await expect(put(s3(), "snapshot.db")).rejects.toMatchObject({ message: expect.stringMatching(/503/) });
    await expect(archive.get(s3(), "snapshot.db", join(folder, "back"), signal)).rejects.toMatchObject({
      message: expect.stringMatching(/503/),
    });
  });

  it("says which entries the secret has to have, and nothing of those it has", async () => {
    secrets["keys"] = { accessKey: "AKFAKE-wrong-entry" };
    const error: Error = await put(s3(), "snapshot.db").then(
      () => new Error("it was put"),
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({
      code: "secret-not-found",
      message: expect.stringMatching(/accessKeyId and secretAccessKey/),
    });
    expect(error.message).not.toContain("AKFAKE");
  });

  it("that does not answer is told by its address", async () => {
    const place = s3();
    await store.close();
    await expect(put(place, "snapshot.db")).rejects.toMatchObject({
      code: "backup-store-refused",
      message: expect.stringMatching(/ECONNREFUSED/),
    });
    store = await FakeS3.open();
  });
});

it("says by whom, when, for where and over what it has signed", () => {
  const headers = signS3Request(
    {
      ...{ method: "GET", url: new URL("https://examplebucket.s3.amazonaws.com/"), region: "us-east-1" },
      contentSha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      at: Date.UTC(2013, 4, 24),
    },
    { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
  );
  expect(headers["x-amz-date"]).toBe("20130524T000000Z");
  expect(headers["authorization"]).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/20130524\/us-east-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$/,
  );
});
