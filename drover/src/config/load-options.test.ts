import { rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { makeTempFolder } from "../../test/temp-folder.ts";
import { explainOptions, loadOptions, type OptionSources, OptionsError } from "./load-options.ts";

const folder = makeTempFolder("config");
afterEach(() => rmSync(join(folder, "config.yaml"), { force: true }));

function writeConfig(text: string): string {
  const file = join(folder, "config.yaml");
  writeFileSync(file, text);
  return file;
}

function problemsOf(sources: OptionSources): string[] {
  try {
    loadOptions({ env: {}, ...sources });
  } catch (error) {
    if (error instanceof OptionsError) return error.problems.map(({ where, message }) => `${where} ${message}`);
    throw error;
  }
  return [];
}

describe("defaults", () => {
  it("listens on loopback and keeps its data in the user's data folder", () => {
    const options = loadOptions({ env: {} });
    expect(options.listenHost).toBe("127.0.0.1");
    expect(options.listenPort).toBe(8420);
    expect(options.dataDir).toBe(join(homedir(), ".local/share/drover"));
    expect(options.resyncInterval).toBe(30_000);
    expect(options.healthInterval).toBe(300_000);
    expect(options.allowedHosts).toEqual([]);
  });

  it("follow the data folder, and that follows XDG_DATA_HOME", () => {
    const options = loadOptions({ env: { XDG_DATA_HOME: "/srv/data" } });
    expect(options.store).toEqual({ kind: "sqlite", file: "/srv/data/drover/drover.db" });
    expect(options.masterKeyFile).toBe("/srv/data/drover/master.key");
    expect(loadOptions({ env: {}, flags: { dataDir: "/d" } }).masterKeyFile).toBe("/d/master.key");
  });
});

describe("what clusters are given", () => {
  it("is read as a range of ports, and as a network with the size of its parts", () => {
    const options = loadOptions({ env: { DROVER_HOST_PORTS: "7000-7000" }, flags: { nodeSubnets: "fd00:1::/48:64" } });
    expect(options.hostPorts).toEqual({ from: 7000, to: 7000 });
    expect(options.nodeSubnets).toEqual({ pool: "fd00:1::/48", prefix: 64 });
  });

  it.each(["7001-7000", "0-10", "1-65536", "7000", "a-b"])("refuses the ports %s", (hostPorts) => {
    expect(problemsOf({ flags: { hostPorts } })).toEqual([expect.stringContaining("must be two ports")]);
  });

  it.each(["10.0.0.0/16", "10.0.0.0/16:8", "10.0.0.0/16:33", "10.0.0.0:24", "x:24"])(
    "refuses the networks %s",
    (text) => {
      expect(problemsOf({ flags: { nodeSubnets: text } })).toEqual([expect.stringContaining("must be a network")]);
    },
  );
});

describe("precedence", () => {
  it("takes a flag before the environment, that before the file, that before the default", () => {
    const configFile = writeConfig("listenPort: 1\nlogLevel: warn\nlistenHost: 127.0.0.3\n");
    const env = { DROVER_LISTEN_PORT: "2", DROVER_LOG_LEVEL: "error" };
    const options = loadOptions({ configFile, env, flags: { listenPort: "3" } });
    expect([options.listenPort, options.logLevel, options.listenHost]).toEqual([3, "error", "127.0.0.3"]);
    expect(options.resyncInterval).toBe(30_000);
  });

  it("finds the file through the environment, and --config wins", () => {
    const env = { DROVER_CONFIG: writeConfig("listenPort: 9\n") };
    expect(loadOptions({ env }).listenPort).toBe(9);
    expect(problemsOf({ env, configFile: join(folder, "missing.yaml") })[0]).toMatch(/missing\.yaml cannot be read/);
  });

  it("takes an empty variable as not set", () => {
    expect(loadOptions({ env: { DROVER_LISTEN_PORT: "" } }).listenPort).toBe(8420);
  });
});

describe("values", () => {
  it("resolves a path in a file beside that file, elsewhere from the working directory", () => {
    const configFile = writeConfig("dataDir: d\nmasterKeyFile: ~/k\nstore: s.db\n");
    const options = loadOptions({ configFile, env: {} });
    expect(options.dataDir).toBe(join(folder, "d"));
    expect(options.masterKeyFile).toBe(join(homedir(), "k"));
    expect(options.store).toEqual({ kind: "sqlite", file: join(folder, "s.db") });
    expect(loadOptions({ env: {}, flags: { dataDir: "d" } }).dataDir).toBe(join(process.cwd(), "d"));
  });

  it("tells a PostgreSQL server from a file", () => {
    const url = "postgres://drover:secret@db:5432/drover";
    expect(loadOptions({ env: { DROVER_STORE: url } }).store).toEqual({ kind: "postgres", url });
    expect(problemsOf({ env: { DROVER_STORE: "mysql://db/x" } })).toHaveLength(1);
  });

  it("takes a list in the file, and commas elsewhere", () => {
    const configFile = writeConfig("allowedHosts: [Drover.example.org, b]\n");
    expect(loadOptions({ configFile, env: {} }).allowedHosts).toEqual(["drover.example.org", "b"]);
    expect(loadOptions({ env: { DROVER_ALLOWED_HOSTS: "a, b" } }).allowedHosts).toEqual(["a", "b"]);
  });

  it.each([
    ["resyncInterval", "30"],
    ["resyncInterval", "0s"],
    ["resyncInterval", "25h"],
    ["resyncInterval", "-5s"],
    ["keepEvents", "1m"],
    ["listenPort", "65536"],
    ["listenPort", "1e3"],
    ["listenPort", "-1"],
    ["listenHost", "-rf"],
    ["listenHost", "a b"],
    ["allowedHosts", "a,;"],
    ["logLevel", "loud"],
    ["dataDir", ""],
    ["dataDir", "a\0b"],
  ] as const)("refuses %s %j", (name, value) => {
    expect(problemsOf({ flags: { [name]: value } })).toHaveLength(1);
  });
});

describe("problems", () => {
  it("names every one of them with its place at once", () => {
    const configFile = writeConfig("listenPort: many\nlistenProt: 1\n");
    const problems = problemsOf({ configFile, env: { DROVER_LOG_LEVEL: "loud" }, flags: { resyncInterval: "soon" } });
    expect(problems).toEqual([
      `${configFile}: listenProt is no option`,
      `${configFile}: listenPort must be a number from 0 to 65535, and is "many"`,
      'DROVER_LOG_LEVEL must be one of: trace, debug, info, warn, error, fatal, silent, and is "loud"',
      '--resync-interval must be a time between 1s and 24h, written like 30s, 5m, 12h or 90d, and is "soon"',
    ]);
  });

  it.each([
    ["a list", "- 1\n", /must be a mapping/],
    ["broken YAML", "a: [1\n", /not valid YAML/],
    ["a key that occurs twice", "listenPort: 1\nlistenPort: 2\n", /not valid YAML/],
    ["aliases", "listenHost: &a x\nlogLevel: *a\n", /uses aliases/],
    ["a file above 1 MB", `# ${"x".repeat(1_000_000)}\n`, /bytes long/],
    ["a prototype key", "__proto__: 1\n", /__proto__ is no option/],
  ])("refuses %s", (_, text, message) => {
    expect(problemsOf({ configFile: writeConfig(text) })[0]).toMatch(message);
  });

  it("takes an empty file as one without options", () => {
    expect(problemsOf({ configFile: writeConfig("# nothing yet\n") })).toEqual([]);
  });

  it("never repeats a value that may be secret, and refuses a password on the command line", () => {
    const env = { DROVER_STORE: "mysql://u:hunter2@db/x" };
    expect(problemsOf({ env }).join()).not.toContain("hunter2");
    const problems = problemsOf({ flags: { store: "postgres://u:hunter2@db/x" } });
    expect(problems).toEqual([expect.stringContaining("--store must not carry a password")]);
    expect(problems.join()).not.toContain("hunter2");
    expect(problemsOf({ flags: { store: "postgres://u@db/x" } })).toEqual([]);
  });
});

describe("the server that commands talk to", () => {
  it("is kept as its origin", () => {
    expect(loadOptions({ env: {}, flags: { server: "https://drover.example.com:8443/some/page" } }).server).toBe(
      "https://drover.example.com:8443",
    );
    expect(loadOptions({ env: {} })).toMatchObject({ server: null, tokenFile: null });
  });

  it.each(["drover.example.com", "ftp://drover", "http://user:word@drover"])("is not %s", (server) => {
    expect(problemsOf({ flags: { server } })).toEqual([expect.stringMatching(/^--server must be an address/)]);
  });
});

it("tells where each option was set", () => {
  const file = writeConfig("maxJobs: 3\n");
  const { sources } = explainOptions({
    flags: { dataDir: "/d" },
    configFile: file,
    env: { DROVER_LOG_LEVEL: "warn" },
  });
  expect(sources.get("dataDir")).toBe("--data-dir");
  expect(sources.get("logLevel")).toBe("DROVER_LOG_LEVEL");
  expect(sources.get("maxJobs")).toBe(`${file}: maxJobs`);
  expect(sources.get("listenPort")).toBeNull();
});
