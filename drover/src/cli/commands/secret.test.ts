import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runTestCli } from "../../../test/cli.ts";
import { json, startContractServer } from "../../../test/contract-server.ts";

it.each([
  ["a password with the line end of an editor", "pass word\n", "pass word"],
  ["one from Windows", "password\r\n", "password"],
  ["one that was written without", "password", "password"],
  ["a key, whose last line end belongs to it", "-----BEGIN\nx\n-----END\n", "-----BEGIN\nx\n-----END\n"],
  ["a blank line", "\n\n", "\n\n"],
])("drover secret set stores %s", async (_, text, stored) => {
  const secret = { name: "pw", description: "", entries: ["password"], updatedTime: "2026-01-01T00:00:00Z" };
  const { url, asked } = await startContractServer({
    "GET /api/v1/secrets": json({ items: [] }),
    "POST /api/v1/secrets": json({ ...secret, usedBy: [] }, 201),
  });
  const file = join(await mkdtemp(join(tmpdir(), "drover-secret-")), "file");
  onTestFinished(() => rm(dirname(file), { recursive: true }));
  await writeFile(file, text);
  await runTestCli(url, ["secret", "set", "pw", "--from-file", `password=${file}`]);
  expect(JSON.parse(asked.find(({ body }) => body !== "")?.body ?? "{}")).toMatchObject({
    entries: { password: stored },
  });
});
