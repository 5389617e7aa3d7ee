import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeTempFolder } from "../../../test/temp-folder.ts";
import { findServer } from "./find-server.ts";
import { readLogin, writeLogin } from "./login-file.ts";

function makePlace() {
  const folder = makeTempFolder("cli");
  const [dataDir, configDir] = [join(folder, "data"), join(folder, "config")];
  mkdirSync(dataDir);
  const options = { server: null, tokenFile: null, dataDir, listenPort: 8420 };
  const writeOwn = (content: unknown) => writeFileSync(join(dataDir, "cli.json"), JSON.stringify(content));
  return { folder, configDir, options, env: { token: null, configDir }, writeOwn };
}

const OWN = { url: "http://127.0.0.1:9000/", token: "drv_own" };

it("tries the usual address without a token when nothing is known", () => {
  const { options, env } = makePlace();
  expect(findServer(options, env)).toMatchObject({ url: "http://127.0.0.1:8420", token: null });
});

it("finds the Drover of this machine with its token", () => {
  const { options, env, writeOwn } = makePlace();
  writeOwn(OWN);
  expect(findServer(options, env)).toMatchObject({ url: "http://127.0.0.1:9000", token: "drv_own" });
});

it("shows a token to no server but its own", () => {
  const { options, env, configDir, writeOwn } = makePlace();
  writeOwn(OWN);
  writeLogin({ ...readLogin(configDir), current: "https://a.example", tokens: { "https://a.example": "drv_a" } });
  expect(findServer({ ...options, server: "https://b.example" }, env).token).toBeNull();
  expect(findServer({ ...options, server: "https://a.example" }, env).token).toBe("drv_a");
});

it("takes what was named before what was found", () => {
  const { folder, options, env, writeOwn } = makePlace();
  writeOwn(OWN);
  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, "drv_file\n");
  expect(findServer(options, { ...env, token: "drv_env" }).token).toBe("drv_env");
  expect(findServer({ ...options, tokenFile }, { ...env, token: "drv_env" }).token).toBe("drv_file");
  expect(() => findServer({ ...options, tokenFile: `${tokenFile}.none` }, env)).toThrow(/cannot be read/);
});

it("keeps a login readable by its owner only", () => {
  const { options, env, configDir } = makePlace();
  writeLogin({ ...readLogin(configDir), current: "https://a.example", tokens: { "https://a.example": "drv_a" } });
  expect(statSync(join(configDir, "login.json")).mode & 0o777).toBe(0o600);
  expect(findServer(options, env)).toMatchObject({ url: "https://a.example", token: "drv_a" });
});

it("is not misled by a damaged file", () => {
  const { options, env, configDir, writeOwn } = makePlace();
  writeOwn({ url: 3 });
  mkdirSync(configDir);
  writeFileSync(join(configDir, "login.json"), "{");
  expect(findServer(options, env)).toMatchObject({ url: "http://127.0.0.1:8420", token: null });
});
