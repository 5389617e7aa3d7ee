import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ERRORS } from "../src/errors.ts";
import { MACHINE_REASONS } from "../src/machine.ts";
import { PROBLEMS } from "../src/problems.ts";
import { REASONS } from "../src/status.ts";
import { findOutdatedFiles } from "./generate.ts";
import { writeYaml } from "./write-yaml.ts";

const errorsPage = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
const [errorsPart = "", rest = ""] = errorsPage.split("\n## Problems\n");
const [problemsPart = "", others = ""] = rest.split("\n## Reasons of conditions\n");
const [reasonsPart = "", machinesPart = ""] = others.split("\n## Machines out of reach\n");

const rowsOf = (part: string) =>
  new Map(
    part
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => {
        const cells = line.split(" | ").map((cell) => cell.replaceAll(/^\| | \|$/g, ""));
        return [cells[0]?.replaceAll("`", "") ?? "", cells];
      }),
  );

describe("generated files", () => {
  it("are up to date", () => {
    expect(findOutdatedFiles()).toEqual([]);
  });

  it("are missed when they are not there", () => {
    expect(findOutdatedFiles("/nowhere")).toHaveLength(5);
  });
});

describe("docs/errors.md", () => {
  const sections = new Map(
    errorsPart
      .split("\n### ")
      .slice(1)
      .map((section) => [/^`([a-z-]+)`/.exec(section)?.[1] ?? "", section]),
  );

  it("explains every error, and no other", () => {
    expect([...sections.keys()].sort()).toEqual(Object.keys(ERRORS).sort());
  });

  it.each(Object.entries(ERRORS))(
    "tells about %s what the catalogue says",
    (code, { title, status, retryable, hint }) => {
      const section = sections.get(code) ?? "";
      expect(section).toContain(`${title}. (${status}; try again: ${retryable ? "yes" : "no"})`);
      expect(section).toContain(`- What to do: ${hint}`);
      expect(section).toMatch(/^- Cause: \S.{20,}[.]$/mu);
    },
  );

  it("explains every problem, and no other", () => {
    const rows = rowsOf(problemsPart);
    expect([...rows.keys()].sort()).toEqual(Object.keys(PROBLEMS).sort());
    for (const [code, { title, next }] of Object.entries(PROBLEMS)) {
      expect(rows.get(code)?.[1]).toBe(title);
      expect(rows.get(code)?.[3]).toBe(next);
    }
  });

  it("lists every reason of a condition, and no other", () => {
    const rows = rowsOf(reasonsPart);
    expect([...rows].map(([reason, cells]) => [reason, cells[1]]).sort()).toEqual(Object.entries(REASONS).sort());
  });

  it("lists every reason why a machine is not reachable, and no other", () => {
    expect([...rowsOf(machinesPart).keys()].sort()).toEqual([...MACHINE_REASONS].sort());
  });
});

describe("writeYaml", () => {
  it("quotes what YAML would read as something else", () => {
    const value = {
      plain: "a word",
      yes: "yes",
      number: "1",
      odd: "a: b",
      empty: "",
      none: null,
      lists: [[], {}, ["a"], { b: [1] }],
    };
    expect(writeYaml(value)).toBe(
      [
        'plain: a word\n"yes": "yes"\nnumber: "1"\nodd: "a: b"\nempty: ""\nnone: null\nlists:\n- []\n- {}\n- - a\n',
        "- b:\n  - 1\n",
      ].join(""),
    );
  });
});
