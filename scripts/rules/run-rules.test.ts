import { describe, expect, test } from "vitest";
import { checkFile } from "./run-rules.ts";

const check = (text: string, file = "drover/src/app/x.ts") => checkFile(file, text);

describe("static-log-text", () => {
  test.each([
    'log.info("started");',
    'log.warn({ cluster }, "cluster is unreachable");',
    'request.log.error({ err: error }, "request failed");',
    "this.#logger.debug(`nothing varies`);",
    'storeLog.info("migrated", { version });',
    "Math.log(x + 1); console.error(`${x}`); catalog.info(x);",
  ])("accepts %s", (text) => {
    expect(check(text)).toEqual([]);
  });

  test.each([
    "log.info(`cluster ${name} is up`);",
    'log.info("cluster " + name);',
    "log.error(error);",
    "log.error({ err: error });",
    'log.info("cluster %s", name, more);',
    "request.log.warn({ id }, message);",
    'logger.info("one", "two");',
  ])("refuses %s", (text) => {
    expect(check(text)).toEqual([expect.stringContaining("(static-log-text)")]);
  });
});

describe("no-shell", () => {
  test.each([
    'import { spawn } from "node:child_process"; spawn("kind", ["create", `${name}`], { shell: false });',
    'import { execFile } from "node:child_process"; execFile(program, args);',
    'const user = { shell: "/bin/sh" };',
    'regexp.exec(text); database.exec("select 1");',
    'run("sh", ["-c", "printf %s \\"$1\\"", "sh", value]);',
    'spawn("postgres", ["-c", `port=${port}`]);',
    "const n = spawn(1 + 1);",
    "const moments = random.fork(`slot ${number}`);",
  ])("accepts %s", (text) => {
    expect(check(text)).toEqual([]);
  });

  test.each([
    'import { exec } from "node:child_process";',
    'import { execSync as run } from "child_process";',
    'import * as cp from "node:child_process"; cp.exec("ls");',
    'import cp from "node:child_process"; cp[name]("ls");',
    'spawn("ls", [], { shell: true });',
    'spawn("ls", [], { "shell": true });',
    'spawn("ls", [], { shell: "/bin/bash" });',
    "spawn(`kind-${version}`, []);",
    'import * as cp from "node:child_process"; cp.spawn(`kind-${version}`, []);',
    'execFile("kind" + version, []);',
    "this.connector.run(`rm ${path}`);",
    'run("sh", ["-c", `rm ${path}`]);',
    'run("/bin/bash", ["-e", "-c", "rm " + path]);',
    'const words = ["ssh", host, "sh", "-c", `rm ${path}`];',
  ])("refuses %s", (text) => {
    expect(check(text)).toEqual([expect.stringContaining("(no-shell)")]);
  });
});

describe("environment-in-config", () => {
  const text = "const home = process.env.HOME;";

  test("lets the options table, tests and tools read the environment", () => {
    for (const file of [
      "drover/src/config/options.ts",
      "drover/src/app/x.test.ts",
      "scripts/x.mjs",
      "drover/test/x.ts",
    ]) {
      expect(check(text, file), file).toEqual([]);
    }
  });

  test("refuses it everywhere else, also by another way in", () => {
    expect(check(text)).toEqual([expect.stringMatching(/x\.ts:1: .*\(environment-in-config\)/)]);
    expect(check('import { env } from "node:process";')).toHaveLength(1);
    expect(check("const { HOME } = globalThis.process.env;", "web/src/api/x.ts")).toHaveLength(1);
  });
});

describe("no-literal-text", () => {
  const inPage = (text: string) => check(text, "web/src/pages/job/x.tsx");

  test.each([
    "const x = <p>{m.jobs.title} · {count}</p>;",
    "const x = <p aria-label={m.jobs.title}>–</p>;",
    'const x = <input placeholder="v1.34.4" />;',
    'const x = <span translate="no">{"Drover"}</span>;',
    'const x = <a className="link" href="/jobs" />;',
    "const x = <kbd>x</kbd>;",
  ])("accepts %s", (text) => {
    expect(inPage(text)).toEqual([]);
  });

  test.each([
    "const x = <p>Jobs</p>;",
    "const x = <p>任务</p>;",
    'const x = <p aria-label="Jobs" />;',
    'const x = <p title={"Jobs"} />;',
    "const x = <p aria-label={`Jobs of ${name}`} />;",
    'const x = <input placeholder="Search jobs" />;',
    'const x = <TextInput label="Name" />;',
  ])("refuses %s", (text) => {
    expect(inPage(text)).toEqual([expect.stringContaining("(no-literal-text)")]);
  });

  test("looks at what draws the page, and nowhere else", () => {
    expect(check("const x = <p>Jobs</p>;", "web/src/i18n/x.tsx")).toEqual([]);
    expect(check("const x = <p>Jobs</p>;", "web/src/pages/x.test.tsx")).toEqual([]);
  });
});

test("names the line", () => {
  expect(check("\n\nlog.info(text);")[0]).toMatch(/^drover\/src\/app\/x\.ts:3: /);
});
