import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { createServer, globalAgent } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ArtifactServer } from "../../../test/artifact-server/artifact-server.ts";
import { Authority } from "../../../test/fake-kubernetes/certificates.ts";
import { waitFor } from "../../../test/wait-for.ts";
import type { ArtifactDepot, ArtifactPlace, DepotFile, DepotRequest } from "../../ports/artifact-depot.ts";
import { systemClock } from "../../ports/clock.ts";
import { systemTimer, type Timer } from "../../ports/timer.ts";
import { makeArtifactDepot } from "./artifact-depot.ts";

const QUICK_TIMER: Timer = { after: (ms, callback) => systemTimer.after(Math.min(ms, 2), callback) };

let folder: string;
let server: ArtifactServer;
let depot: ArtifactDepot;
let lines: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drover-depot-"));
  server = await ArtifactServer.open();
  depot = newDepot();
  lines = [];
  onTestFinished(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
});

/** As another process, or this one after it was started again. */
const newDepot = (more: object = {}): ArtifactDepot =>
  makeArtifactDepot({ folder: join(folder, "kept"), clock: systemClock, timer: QUICK_TIMER, ...more });
const request = (more: Partial<DepotRequest> = {}): DepotRequest => ({
  ...{ signal: new AbortController().signal, reader: "job-1", log: (text: string) => lines.push(text) },
  ...more,
});
const mirror = (more: Partial<ArtifactPlace> = {}): ArtifactPlace => ({
  ...{ source: "mirror", location: `${server.url}/tree`, checksums: {}, credential: null },
  ...more,
});
const sum = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
const CONTENT = randomBytes(300_000);
const KUBELET: DepotFile = { path: "v1.34.4+k3s1/bin/kubelet", sha256: sum(CONTENT) };
const serve = (content = CONTENT): void => void server.files.set(`tree/${KUBELET.path}`, content);
const fetchKubelet = (place = mirror(), asked = request()) => depot.fetch(place, KUBELET, asked);
/** How much of the file that is being fetched lies there already. */
const countArrived = async (): Promise<number> => {
  const names = await readdir(join(folder, "kept")).catch(() => []);
  const sizes = names.map(async (name) => (await stat(join(folder, "kept", name)).catch(() => null))?.size ?? 0);
  return Math.max(0, ...(await Promise.all(sizes)));
};
const kept = async () => (await readdir(join(folder, "kept"))).sort();

describe("a file of a mirror", () => {
  it("is fetched once, and is found again by others of the same folder", async () => {
    serve();
    expect(await depot.has(KUBELET)).toBe(false);
    const path = await fetchKubelet();
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
    expect(await depot.has(KUBELET)).toBe(true);
    expect(await newDepot().fetch(mirror(), KUBELET, request())).toBe(path);
    expect(server.asked).toHaveLength(1);
    expect(((await stat(join(folder, "kept"))).mode & 0o777).toString(8)).toBe("700");
    expect(lines.join("\n")).toMatch(/Fetching kubelet, 0\.3 of 0\.3 MB/);
  });

  it("goes on where the connection was cut", async () => {
    serve();
    const arrived = (bytes: number) => waitFor(async () => expect(await countArrived()).toBe(bytes));
    server.cut = { after: 50_000, times: 3, arrived };
    expect((await readFile(await fetchKubelet())).equals(CONTENT)).toBe(true);
    expect(server.asked.map(({ range }) => range)).toEqual([
      undefined,
      "bytes=50000-",
      "bytes=100000-",
      "bytes=150000-",
    ]);
  });

  it("is fetched anew from a server that knows no ranges", async () => {
    serve();
    server.ignoresRanges = true;
    server.cut = { after: 50_000, times: 2 };
    expect((await readFile(await fetchKubelet())).equals(CONTENT)).toBe(true);
  });

  it("is not kept when it is not what its checksum says, and says so", async () => {
    serve(randomBytes(1_000));
    await expect(fetchKubelet()).rejects.toMatchObject({
      code: "checksum-mismatch",
      message: expect.stringContaining("/tree/v1.34.4%2Bk3s1/bin/kubelet") as string,
      details: { paths: [KUBELET.path] },
    });
    expect(await kept()).toEqual([]);
    serve();
    await fetchKubelet();
  });

  it("is fetched again when what was kept was spoilt", async () => {
    serve();
    const path = await fetchKubelet();
    await truncate(path, 10);
    expect((await readFile(await newDepot().fetch(mirror(), KUBELET, request()))).equals(CONTENT)).toBe(true);
  });

  it("that was fetched up to a crash is gone on with, from wherever it was", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(CONTENT.length + 10), fc.boolean(), async (length, isSpoilt) => {
        await rm(join(folder, "kept"), { recursive: true, force: true });
        serve();
        server.cut = { after: 1, times: 1 };
        await depot.has(KUBELET);
        // The process is killed: what it had of the file stays, under a name of its own.
        const dead = new AbortController();
        const other = newDepot({ timer: { after: () => () => dead.abort(new Error("killed")) } });
        const dying = other.fetch(mirror(), KUBELET, request({ signal: dead.signal, log: () => dead.abort() }));
        await expect(dying).rejects.toThrow();
        const [left = ""] = await kept();
        expect(left).toMatch(/\.partial$/);
        const before = Buffer.concat([CONTENT, Buffer.alloc(10)]).subarray(0, length);
        if (isSpoilt && length > 0) before.writeUInt8((before[0] ?? 0) ^ 1, 0);
        await writeFile(join(folder, "kept", left), before);
        await utimes(join(folder, "kept", left), 0, Date.now() / 1_000 - 60);
        expect((await readFile(await newDepot().fetch(mirror(), KUBELET, request()))).equals(CONTENT)).toBe(true);
        expect(await kept()).toEqual([KUBELET.sha256]);
      }),
      {
        numRuns: 30,
        examples: [
          [CONTENT.length, false],
          [CONTENT.length, true],
          [0, false],
        ],
      },
    );
  });

  it("is one file, however many want it at once, in however many processes, through whatever cuts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.nat(3), async (processes, times) => {
        await rm(join(folder, "kept"), { recursive: true, force: true });
        serve();
        server.cut = { after: 100_000, times };
        server.asked.length = 0;
        const depots = Array.from({ length: processes }, () => newDepot());
        const wanted = depots.flatMap((one) => [1, 2, 3].map(() => one.fetch(mirror(), KUBELET, request())));
        const paths = new Set(await Promise.all(wanted));
        expect(paths.size).toBe(1);
        expect((await readFile([...paths][0] ?? "")).equals(CONTENT)).toBe(true);
        expect(await kept()).toEqual([KUBELET.sha256]);
        expect(server.asked.length).toBeLessThanOrEqual(processes + times);
      }),
      { numRuns: 20 },
    );
  });

  it("that somebody no longer wants is fetched for the other who does", async () => {
    serve();
    const enough = new AbortController();
    server.mishap = (_asked, response) => {
      server.mishap = () => false;
      response.writeHead(200, { "content-length": CONTENT.length });
      response.write(CONTENT.subarray(0, 1_000));
      return true;
    };
    const first = fetchKubelet(mirror(), request({ signal: enough.signal }));
    const outcome = first.catch((error: Error) => error.message);
    await expect.poll(countArrived).toBe(1_000);
    const second = fetchKubelet();
    enough.abort(new Error("enough"));
    expect(await outcome).toBe("enough");
    expect((await readFile(await second)).equals(CONTENT)).toBe(true);
    expect(server.asked[1]?.range).toMatch(/^bytes=\d+-$/);
  });
});

describe("what is in the way", () => {
  const answering = (status: number, times = Number.POSITIVE_INFINITY) => {
    let left = times;
    server.mishap = (_asked, response) => {
      left -= 1;
      if (left < 0) return false;
      response.writeHead(status).end("something");
      return true;
    };
  };

  it.each([
    [401, "artifacts-denied"],
    [403, "artifacts-denied"],
    [404, "artifact-missing"],
    [503, "artifacts-unreachable"],
    [429, "artifacts-unreachable"],
    [418, "artifacts-untrusted"],
  ])("%i is told as %s, with the address and without who asks", async (status, code) => {
    answering(status);
    const place = mirror({ credential: { username: "user-name", password: "pass-word" } });
    const error: Error = await fetchKubelet({ ...place, location: `${server.url}/tree?signature=s3cr3t` }).then(
      () => new Error("it was fetched"),
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ code, message: expect.stringContaining(`${server.url}/tree/`) as string });
    expect(error.message).toContain(String(status));
    expect(`${error.message}${lines.join("")}`).not.toMatch(/s3cr3t|user-name|pass-word/);
  });

  it("is waited for when it may pass", async () => {
    serve();
    answering(503, 3);
    await fetchKubelet();
    expect(lines.filter((line) => line.includes("trying again"))).toHaveLength(3);
  });

  it("is that nobody answers, or nothing more is heard", async () => {
    serve();
    server.mishap = (_asked, response) => {
      response.writeHead(200, { "content-length": 1_000 }).write("beginning");
      return true;
    };
    depot = newDepot({ silenceMs: 30 });
    await expect(fetchKubelet()).rejects.toMatchObject({ code: "artifacts-unreachable" });
    const place = mirror();
    await server.close();
    await expect(fetchKubelet(place)).rejects.toMatchObject({
      ...{ code: "artifacts-unreachable", message: expect.stringContaining("ECONNREFUSED") as string },
    });
    server = await ArtifactServer.open();
  });

  it("is a certificate that nobody here trusts, and a way from https to http", async () => {
    serve();
    const authority = new Authority();
    const secure = createServer(authority.issue({ commonName: "mirror", addresses: ["127.0.0.1"] }), (_, response) => {
      response.writeHead(302, { location: `${server.url}/tree/${KUBELET.path}` }).end();
    });
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      delete globalAgent.options.ca;
      globalAgent.destroy();
      secure.close();
    });
    const location = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`;
    await expect(fetchKubelet(mirror({ location }))).rejects.toMatchObject({
      ...{ code: "artifacts-untrusted", message: expect.stringContaining("NODE_EXTRA_CA_CERTS") as string },
    });
    globalAgent.options.ca = authority.cert;
    await expect(fetchKubelet(mirror({ location }))).rejects.toMatchObject({
      ...{ code: "artifacts-untrusted", message: expect.stringContaining("from https to http") as string },
    });
    expect(server.asked).toEqual([]);
    expect(lines).toEqual([]);
  });

  it("is a redirection in circles, or to no web address", async () => {
    server.mishap = (_asked, response) => {
      response.writeHead(302, { location: "/tree/again" }).end();
      return true;
    };
    await expect(fetchKubelet()).rejects.toMatchObject({ code: "artifacts-untrusted" });
    expect(server.asked).toHaveLength(6);
    server.mishap = (_asked, response) => {
      response.writeHead(302, { location: "file:///etc/passwd" }).end();
      return true;
    };
    await expect(fetchKubelet()).rejects.toMatchObject({ code: "artifacts-untrusted" });
  });
});

describe("the address where a cloud tells a machine its credentials", () => {
  const metadata = "http://169.254.169.254/latest/meta-data";

  it.each([
    ["declared", async () => await fetchKubelet(mirror({ location: metadata }))],
    [
      "led to",
      async () => {
        server.mishap = (_asked, response) => {
          response.writeHead(302, { location: metadata }).end();
          return true;
        };
        return await fetchKubelet();
      },
    ],
  ])("is not asked when it is %s", async (_, fetch) => {
    await expect(fetch()).rejects.toMatchObject({ code: "artifacts-untrusted" });
  });
});

describe("who asks", () => {
  it.each([
    [{ username: "ann", password: "p" }, `Basic ${Buffer.from("ann:p").toString("base64")}`],
    [{ token: "t" }, "Bearer t"],
  ])("is told to the place, and to no other that it leads to", async (credential, authorization) => {
    serve();
    const elsewhere = await ArtifactServer.open();
    onTestFinished(() => elsewhere.close());
    elsewhere.files.set("object", CONTENT);
    server.mishap = ({ path }, response) => {
      const isSame = path.startsWith("tree/");
      response.writeHead(307, { location: isSame ? "/within" : `${elsewhere.url}/object` }).end();
      return true;
    };
    await fetchKubelet(mirror({ credential }));
    expect(server.asked.map((one) => one.authorization)).toEqual([authorization, authorization]);
    expect(elsewhere.asked.map((one) => one.authorization)).toEqual([undefined]);
  });
});

describe("a list of checksums", () => {
  it("is read once by one job, and is null where there is none", async () => {
    server.files.set("tree/SHA256SUMS", Buffer.from("one"));
    const read = (reader: string) => depot.readText(mirror(), "SHA256SUMS", request({ reader }));
    expect(await Promise.all([read("a"), read("a")])).toEqual(["one", "one"]);
    server.files.set("tree/SHA256SUMS", Buffer.from("two"));
    expect(await read("a")).toBe("one");
    expect(await read("b")).toBe("two");
    expect(server.asked).toHaveLength(2);
    expect(await depot.readText(mirror(), "nothing", request())).toBe(null);
  });

  it("is not remembered when it could not be read", async () => {
    server.mishap = (_asked, response) => {
      response.writeHead(403).end();
      return true;
    };
    await expect(depot.readText(mirror(), "SHA256SUMS", request())).rejects.toMatchObject({ code: "artifacts-denied" });
    server.mishap = () => false;
    server.files.set("tree/SHA256SUMS", Buffer.from("one"));
    expect(await depot.readText(mirror(), "SHA256SUMS", request())).toBe("one");
  });
});

describe("what is kept", () => {
  it("goes when it was not used for long, or is too much and not in use", async () => {
    const DAY_MS = 86_400_000;
    const limits = { bytes: 250, unusedMs: 30 * DAY_MS, inUseMs: DAY_MS };
    const files = await Promise.all(
      [0, 2, 3, 4, 40].map(async (days) => {
        const content = randomBytes(100);
        server.files.set(`tree/${days}`, content);
        const file = { path: String(days), sha256: sum(content) };
        const path = await depot.fetch(mirror(), file, request());
        const at = Date.now() / 1_000 - days * 86_400;
        await utimes(path, at, Math.floor(at));
        return file;
      }),
    );
    serve();
    await newDepot({ limits }).fetch(mirror(), KUBELET, request());
    const left = await kept();
    expect(files.filter(({ sha256 }) => left.includes(sha256)).map(({ path }) => path)).toEqual(["0", "2"]);
  });
});
