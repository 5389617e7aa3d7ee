import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { makeTempFolder } from "../../../test/temp-folder.ts";
import { systemTimer } from "../../ports/timer.ts";
import { chooseFile, mergeIntoFile } from "./merge-into-file.ts";
import { mergeKubeconfig } from "./merge-kubeconfig.ts";

const made = (token: string) => `
kind: Config
current-context: x
clusters: [{ name: x, cluster: { server: "https://a" } }]
users: [{ name: u, user: { token: ${token} } }]
contexts: [{ name: x, context: { cluster: x, user: u } }]
`;
const FOREIGN = `# mine
apiVersion: v1
kind: Config
current-context: work
clusters:
- name: work
  cluster: {server: "https://work"} # the old one
users:
- name: work
  user: {token: w}
contexts:
- name: work
  context: {cluster: work, user: work}
preferences: {}
`;
const namesOf = (text: string) =>
  ["clusters", "users", "contexts"].map((list) =>
    (parse(text) as Record<string, { name: string }[]>)[list]?.map(({ name }) => name),
  );

describe("a kubeconfig that is merged into another one", () => {
  it("adds one entry to each list and leaves everything else as it was", () => {
    const merged = mergeKubeconfig(FOREIGN, made("t1"), "dev");
    const others = Object.entries(parse(merged) as object).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.filter(({ name }: { name: string }) => name !== "drover-dev") : (value as unknown),
    ]);
    expect(Object.fromEntries(others)).toEqual(parse(FOREIGN));
    expect(merged).toContain("# mine");
    expect(merged).toContain("# the old one");
    expect(namesOf(merged)).toEqual([
      ["work", "drover-dev"],
      ["work", "drover-dev"],
      ["work", "drover-dev"],
    ]);
    expect(parse(merged)).toMatchObject({
      "current-context": "work",
      preferences: {},
      contexts: [{ context: { user: "work" } }, { context: { cluster: "drover-dev", user: "drover-dev" } }],
    });
  });

  it("replaces what was merged before", () => {
    const again = mergeKubeconfig(mergeKubeconfig(FOREIGN, made("t1"), "dev"), made("t2"), "dev");
    expect(namesOf(again)[1]).toEqual(["work", "drover-dev"]);
    expect([again.includes("t1"), again.includes("t2")]).toEqual([false, true]);
  });

  it.each(["clusters", "users", "contexts"])(
    "does not touch an entry of that name among %s that others wrote",
    (list) => {
      const content = { clusters: "cluster", users: "user", contexts: "context" }[list] ?? "";
      const text = `kind: Config\n${list}:\n- name: drover-dev\n  ${content}: {}\n`;
      expect(() => mergeKubeconfig(text, made("t"), "dev")).toThrow("that Drover did not write");
    },
  );

  it.each(["", "kind: Config\nclusters: null\nusers: []\ncurrent-context: ''\n"])(
    "becomes the current context where it is the only one",
    (text) => {
      expect(parse(mergeKubeconfig(text, made("t"), "dev"))).toMatchObject({
        kind: "Config",
        "current-context": "drover-dev",
      });
      const second = mergeKubeconfig(mergeKubeconfig(text, made("t"), "dev"), made("t"), "other");
      expect(parse(second)).toMatchObject({ "current-context": "drover-dev" });
    },
  );

  it.each(["a: [", "kind: List\n", "just text"])("is not merged into what is no kubeconfig", (text) => {
    expect(() => mergeKubeconfig(text, made("t"), "dev")).toThrow("nothing was written");
  });
});

describe("the file that is merged into", () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  const merge = (...files: readonly string[]) =>
    mergeIntoFile(files.map(at), { cluster: "dev", text: made("t") }, systemTimer);
  beforeEach(() => {
    folder = makeTempFolder("merge");
  });

  it("is made for its owner only, and nothing else is left", async () => {
    expect(await merge("new/config")).toBe(at("new/config"));
    expect(statSync(at("new/config")).mode & 0o777).toBe(0o600);
    expect(statSync(at("new")).mode & 0o777).toBe(0o700);
    expect(readdirSync(at("new"))).toEqual(["config"]);
  });

  it("is the one that has the entries, else the first that exists", async () => {
    writeFileSync(at("b"), FOREIGN);
    chmodSync(at("b"), 0o644);
    writeFileSync(at("c"), mergeKubeconfig("", made("old"), "dev"));
    expect(await merge("a", "b", "c")).toBe(at("c"));
    expect(readFileSync(at("b"), "utf8")).toBe(FOREIGN);
    expect(await merge("a", "b")).toBe(at("b"));
    expect(statSync(at("b")).mode & 0o777).toBe(0o600);
  });

  it("stays as it is when it has a foreign entry or cannot be read, and is named", async () => {
    writeFileSync(at("a"), "kind: Config\nusers:\n- name: drover-dev\n  user: {}\n");
    await expect(merge("a")).rejects.toThrow(`${at("a")}: Among its users`);
    writeFileSync(at("b"), "{");
    await expect(merge("b")).rejects.toThrow(`${at("b")}: It is not a kubeconfig`);
    expect(readdirSync(folder).sort()).toEqual(["a", "b"]);
    expect(readFileSync(at("b"), "utf8")).toBe("{");
  });

  it("may be behind a link, which stays one", async () => {
    writeFileSync(at("real"), FOREIGN);
    symlinkSync(at("real"), at("link"));
    await merge("link");
    expect(readFileSync(at("real"), "utf8")).toContain("drover-dev");
    expect(readdirSync(folder).sort()).toEqual(["link", "real"]);
  });

  it("is chosen, and found fit or not, before anything is asked for", () => {
    writeFileSync(at("a"), "kind: Config\nusers:\n- name: drover-dev\n  user: {}\n");
    expect(() => chooseFile([at("a")], "dev")).toThrow(`${at("a")}: Among its users`);
    expect(chooseFile([at("a")], "other")).toBe(at("a"));
    expect(chooseFile([at("none")], "dev")).toBe(at("none"));
  });

  it("is not written while another program does", async () => {
    writeFileSync(at("a"), FOREIGN);
    writeFileSync(at("a.lock"), "");
    await expect(merge("a")).rejects.toThrow(`remove ${at("a.lock")}`);
    expect([readFileSync(at("a"), "utf8"), readdirSync(folder).sort()]).toEqual([FOREIGN, ["a", "a.lock"]]);
  });
});
