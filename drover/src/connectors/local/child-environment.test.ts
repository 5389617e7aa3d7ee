import { expect, it } from "vitest";
import { DEFAULT_SEARCH_PATH, joinEnvironments, makeChildEnvironment } from "./child-environment.ts";

const parent = {
  HOME: "/home/me",
  TZ: "UTC",
  PATH: "/home/me/bin:/usr/bin",
  LANG: "de_DE.UTF-8",
  LD_PRELOAD: "/tmp/evil.so",
  NODE_OPTIONS: "--require /tmp/evil.js",
  KUBECONFIG: "/home/me/.kube/config",
  SSH_AUTH_SOCK: "/tmp/agent",
  DOCKER_HOST: "tcp://elsewhere",
  DROVER_STORE: "postgres://secret",
};

it("passes on a fixed few and nothing else", () => {
  expect(makeChildEnvironment({ inherited: parent })).toEqual({
    HOME: "/home/me",
    TZ: "UTC",
    PATH: DEFAULT_SEARCH_PATH,
    LANG: "C.UTF-8",
  });
});

it("passes on what it is told to, and takes the search path it is told", () => {
  const environment = makeChildEnvironment({
    inherited: parent,
    searchPath: "/opt/bin",
    allow: ["DOCKER_HOST", "HTTPS_PROXY", "constructor"],
  });
  expect(environment).toMatchObject({ DOCKER_HOST: "tcp://elsewhere", PATH: "/opt/bin" });
  expect(Object.keys(environment).sort()).toEqual(["DOCKER_HOST", "HOME", "LANG", "PATH", "TZ"]);
});

it("does not let the list of names bring in another search path or language", () => {
  const environment = makeChildEnvironment({ inherited: parent, allow: ["PATH", "LANG"] });
  expect(environment).toMatchObject({ PATH: DEFAULT_SEARCH_PATH, LANG: "C.UTF-8" });
});

it("joins two without anything that a prototype holds, the second over the first", () => {
  const joined = joinEnvironments({ A: "1", B: "2" }, { B: "3" });
  expect({ ...joined }).toEqual({ A: "1", B: "3" });
  expect(Object.getPrototypeOf(joined)).toBeNull();
});

it.each(["", "A=B", "A\0"])("refuses %j as a name", (name) => {
  expect(() => joinEnvironments({}, { [name]: "x" })).toThrow(/cannot be the name of a variable/);
});
