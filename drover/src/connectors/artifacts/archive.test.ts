import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ArtifactServer } from "../../../test/artifact-server/artifact-server.ts";
import { makeTar } from "../../lib/tar.ts";
import type { ArtifactDepot, ArtifactPlace, DepotRequest } from "../../ports/artifact-depot.ts";
import { systemClock } from "../../ports/clock.ts";
import { systemTimer } from "../../ports/timer.ts";
import { makeArtifactDepot } from "./artifact-depot.ts";

const request: DepotRequest = { signal: new AbortController().signal, reader: "job-1", log: () => {} };
const sum = (content: Buffer | string): string => createHash("sha256").update(content).digest("hex");
const KUBELET = { path: "v1.34.4/bin/kubelet", sha256: sum("kubelet") };
const TREE = makeTar(
  [
    { name: "./SHA256SUMS", content: `${KUBELET.sha256}  ${KUBELET.path}\n` },
    { name: `./${KUBELET.path}`, content: "kubelet" },
    { name: "./noise", content: randomBytes(50_000).toString("hex") },
  ],
  0,
);

let folder: string;
let server: ArtifactServer;
let depot: ArtifactDepot;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drover-depot-"));
  server = await ArtifactServer.open();
  depot = newDepot();
  onTestFinished(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
});

const newDepot = (): ArtifactDepot => makeArtifactDepot({ folder, clock: systemClock, timer: systemTimer });
const at = (name: string, more: Partial<ArtifactPlace> = {}): ArtifactPlace => ({
  ...{ source: "url", location: `${server.url}/objects/${name}?signature=x`, checksums: {}, credential: null },
  ...more,
});
function serve(name: string, archive: Buffer, said = `${sum(archive)}  ${name}\n`): ArtifactPlace {
  server.files.set(`objects/${name}`, archive);
  server.files.set(`objects/${name}.sha256`, Buffer.from(said));
  return at(name);
}
const contentOf = async (place: ArtifactPlace): Promise<string> =>
  await readFile(await depot.fetch(place, KUBELET, request), "utf8");
const asked = (): readonly string[] => server.asked.map(({ path }) => path.replace("objects/", ""));

describe("an archive at an address", () => {
  it.each([
    ["tree.tar", TREE],
    ["tree.tar.gz", gzipSync(TREE)],
    ["object-without-an-ending", gzipSync(TREE)],
  ])("is fetched once and unpacked: %s", async (name, archive) => {
    const place = serve(name, archive);
    expect(await depot.isReadable(place, request)).toBe(false);
    expect(await depot.readText(place, "SHA256SUMS", request)).toContain(KUBELET.path);
    expect(await depot.readText(place, "v1.34.4/none", request)).toBe(null);
    expect(await contentOf(place)).toBe("kubelet");
    depot = newDepot();
    expect(await depot.isReadable(place, request)).toBe(true);
    expect(await contentOf(place)).toBe("kubelet");
    expect(asked()).toEqual([`${name}.sha256`, name, `${name}.sha256`]);
    // The archive itself is not kept beside what it held.
    expect((await readdir(folder)).filter((file) => file.endsWith(".partial"))).toEqual([]);
  });

  it("goes by the checksum of the spec, where it has one, and by nothing beside it", async () => {
    serve("tree.tar", TREE, "something else");
    const place = at("tree.tar", { checksums: { "tree.tar": sum(TREE) } });
    expect(await contentOf(place)).toBe("kubelet");
    expect(asked()).toEqual(["tree.tar"]);
    const other = at("tree.tar", { checksums: { "tree.tar": "0".repeat(64) } });
    await expect(contentOf(other)).rejects.toMatchObject({
      code: "checksum-mismatch",
      message: expect.stringMatching(/objects\/tree\.tar/),
    });
  });

  it("is not fetched without a checksum", async () => {
    const place = serve("tree.tar", TREE, "<html>");
    await expect(contentOf(place)).rejects.toMatchObject({
      code: "artifact-missing",
      message: expect.stringMatching(/is no checksum/),
    });
    server.files.delete("objects/tree.tar.sha256");
    await expect(depot.readText(place, "SHA256SUMS", { ...request, reader: "job-2" })).rejects.toMatchObject({
      ...{ code: "artifact-missing", message: expect.stringMatching(/tree\.tar\.sha256 is not there/) },
    });
    expect(asked()).not.toContain("tree.tar");
  });

  it("tells what it does not hold, and what is not as its list says", async () => {
    const place = serve("tree.tar", TREE);
    const other = { path: KUBELET.path, sha256: "1".repeat(64) };
    await expect(depot.fetch(place, other, request)).rejects.toMatchObject({
      ...{ code: "checksum-mismatch", details: { paths: [KUBELET.path] } },
    });
    await expect(depot.fetch(place, { ...KUBELET, path: "none" }, request)).rejects.toMatchObject({
      code: "artifact-missing",
    });
  });

  it("is told to be no archive when it is none", async () => {
    const place = serve("tree.tar", Buffer.from("not an archive at all".repeat(100)));
    await expect(contentOf(place)).rejects.toMatchObject({
      code: "artifacts-untrusted",
      message: expect.stringMatching(/tar archive/),
    });
  });

  it("is fetched again when what it held was taken out since", async () => {
    const place = serve("tree.tar", TREE);
    const [one, other] = await Promise.all([contentOf(place), contentOf(place)]);
    expect([one, other]).toEqual(["kubelet", "kubelet"]);
    await rm(join(folder, KUBELET.sha256));
    expect(await contentOf(place)).toBe("kubelet");
    expect(asked().filter((name) => name === "tree.tar")).toHaveLength(2);
  });

  it("is another one when its checksum changed", async () => {
    expect(await contentOf(serve("tree.tar", TREE))).toBe("kubelet");
    const newer = makeTar([{ name: "note", content: "newer" }], 0);
    const place = serve("tree.tar", newer);
    expect(await depot.readText(place, "note", request)).toBe(null);
    expect(await depot.readText(place, "note", { ...request, reader: "job-2" })).toBe("newer");
  });
});
