import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readClientEnvironment } from "./client-environment.ts";

it("has sensible answers where nothing is set", () => {
  expect(readClientEnvironment({})).toEqual({
    token: null,
    noColour: false,
    dumbTerminal: false,
    editor: ["vi"],
    configDir: join(homedir(), ".config/drover"),
    kubeconfigFiles: [join(homedir(), ".kube/config")],
  });
});

it("reads an editor with its arguments, colours and the folder for configuration", () => {
  const env = { VISUAL: "code  --wait", EDITOR: "nano", NO_COLOR: "1", TERM: "dumb", XDG_CONFIG_HOME: "/c" };
  expect(readClientEnvironment(env)).toMatchObject({
    editor: ["code", "--wait"],
    noColour: true,
    dumbTerminal: true,
    configDir: "/c/drover",
  });
});

it("reads the files of kubectl as kubectl does", () => {
  expect(readClientEnvironment({ KUBECONFIG: "/a::/b" }).kubeconfigFiles).toEqual(["/a", "/b"]);
});

it("takes an empty variable for one that is not set", () => {
  expect(readClientEnvironment({ DROVER_TOKEN: "", NO_COLOR: "", EDITOR: " " })).toMatchObject({
    token: null,
    noColour: false,
    editor: ["vi"],
  });
});
