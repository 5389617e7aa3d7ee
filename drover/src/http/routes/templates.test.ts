import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestServer } from "../../../test/http.ts";
import { sha256 } from "../../lib/sha256.ts";

let test: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  test = await openTestServer();
});
afterAll(() => test.dispose());

/** `${name}` */
const at = (name: string) => `$\{${name}}`;

const document = {
  apiVersion: "drover.dev/v1alpha1",
  kind: "Cluster",
  metadata: {
    name: "any",
    labels: { env: at("env") },
    annotations: { note: `for ${at("who")}, $${at("env")} costs 5$` },
  },
  spec: { provider: "simulated", simulated: { workers: at("workers") } },
};
const parameters = [
  { name: "env", type: "text", default: "dev" },
  { name: "workers", type: "number", default: 1 },
  { name: "who", type: "text" },
];
const template = { name: "small", description: "A small one", parameters, document };
const create = (body: object, as?: `drv_${string}`) =>
  test.ask("POST", "/api/v1/templates", { body, ...(as === undefined ? {} : { as }) });
const instantiate = (body: object, as?: `drv_${string}`) =>
  test.ask("POST", "/api/v1/templates/small/instantiate", { body, ...(as === undefined ? {} : { as }) });
const problemsOf = (json: { readonly [key: string]: unknown }) =>
  (json["problems"] as { path: string; code: string }[]).map(({ path, code }) => [path, code]);

describe("templates", () => {
  it("are made, read, changed by version and deleted", async () => {
    const made = await create(template);
    expect([made.status, made.json]).toMatchObject([201, { ...template, version: 1, updatedBy: "tester/admin" }]);
    expect((await create(template)).json.code).toBe("template-exists");
    const read = await test.ask("GET", "/api/v1/templates/small", { as: "viewer" });
    expect(read.json).toEqual(made.json);
    const { name: _, ...content } = template;
    const put = (ifMatch?: string) =>
      test.ask("PUT", "/api/v1/templates/small", {
        body: content,
        ...(ifMatch === undefined ? {} : { headers: { "if-match": ifMatch } }),
      });
    expect((await put()).json.code).toBe("precondition-required");
    expect((await put(String(read.headers["etag"]))).json.version).toBe(2);
    expect((await put(String(read.headers["etag"]))).json.code).toBe("generation-conflict");
    await create({ ...template, name: "gone" });
    expect((await test.ask("DELETE", "/api/v1/templates/gone")).status).toBe(204);
    expect((await test.ask("DELETE", "/api/v1/templates/gone")).json.code).toBe("template-not-found");
    expect((await test.ask("GET", "/api/v1/templates")).json.items).toMatchObject([{ name: "small" }]);
  });

  it("are refused with everything that is wrong with them", async () => {
    const wrong = await create({
      name: "wrong",
      parameters: [
        { name: "a", type: "number", default: "1" },
        { name: "a", type: "text" },
      ],
      document: { [at("a")]: 1, spec: { x: [at("nothing")], y: `$${at("nothing")}` } },
    });
    expect(problemsOf(wrong.json)).toEqual([
      ["parameters[0].default", "wrong-type"],
      ["parameters[1].name", "duplicate"],
      ["document", "bad-key"],
      ["document.spec.x[0]", "unknown-value"],
    ]);
    const whole = await create({
      name: "whole",
      parameters: [],
      document: { ...document, spec: { provider: "none" } },
    });
    expect(whole.json.code).toBe("validation-failed");
    const deep = `{"name":"deep","parameters":[],"document":{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`;
    const answer = await test.ask("POST", "/api/v1/templates", {
      body: deep,
      headers: { "content-type": "application/json" },
    });
    expect([answer.status, answer.json.code]).toEqual([400, "request-invalid"]);
    expect((await test.ask("GET", "/api/v1/templates")).json.items).toHaveLength(1);
  });

  it("become clusters, with values in the place of parameters", async () => {
    const made = await instantiate({ cluster: "one", parameters: { who: "us", workers: 2 }, reason: "try" });
    expect([made.status, made.json.cluster]).toEqual([202, "one"]);
    const cluster = await test.store.read.findCluster("one");
    expect(cluster).toMatchObject({
      labels: { env: "dev" },
      annotations: { note: `for us, ${at("env")} costs 5$` },
      spec: { simulated: { workers: 2 } },
    });
    expect((await instantiate({ cluster: "one", parameters: { who: "us" } })).json.code).toBe("cluster-exists");
  });

  it("take values as data: nothing in them becomes structure", async () => {
    await instantiate({ cluster: "plain", parameters: { who: "us" } });
    const who = `x"\n  evil: true\n# ${at("env")} {{a}} $& ---\nkind: Evil`;
    expect((await instantiate({ cluster: "two", parameters: { who } })).status).toBe(202);
    const cluster = await test.store.read.findCluster("two");
    expect(cluster?.annotations).toEqual({ note: `for ${who}, ${at("env")} costs 5$` });
    expect(cluster?.specHash).toBe((await test.store.read.findCluster("plain"))?.specHash);
  });

  it("say everything that is wrong with the values", async () => {
    const wrong = await instantiate({ cluster: "three", parameters: { workers: "many", other: 1 } });
    expect(problemsOf(wrong.json)).toEqual([
      ["parameters.workers", "wrong-type"],
      ["parameters.who", "required"],
      ["parameters.other", "unknown-field"],
    ]);
    const bad = await instantiate({ cluster: "three", parameters: { who: "us", workers: -1, env: "not a label" } });
    expect(problemsOf(bad.json).map(([path]) => path)).toEqual(["metadata.labels.env", "spec.simulated.workers"]);
  });

  it("are used within one's scope, and changed only by those without", async () => {
    const as = await test.makeToken("operator", ["env=prod"]);
    expect((await instantiate({ cluster: "four", parameters: { who: "us" } }, as)).json.code).toBe("forbidden");
    expect((await instantiate({ cluster: "four", parameters: { who: "us", env: "prod" } }, as)).status).toBe(202);
    expect((await create({ ...template, name: "mine" }, as)).json.code).toBe("forbidden");
    expect((await test.ask("DELETE", "/api/v1/templates/small", { as })).json.code).toBe("forbidden");
  });
});

describe("groups", () => {
  it("are made, changed and deleted", async () => {
    const group = { name: "prod", selector: "env=prod,!legacy" };
    expect((await test.ask("POST", "/api/v1/groups", { body: group })).json).toEqual(group);
    expect((await test.ask("POST", "/api/v1/groups", { body: group })).json.code).toBe("group-exists");
    const bad = await test.ask("PUT", "/api/v1/groups/prod", { body: { selector: "env in (" } });
    expect(bad.json.code).toBe("validation-failed");
    const changed = { selector: "env=live", description: "What pays" };
    expect((await test.ask("PUT", "/api/v1/groups/prod", { body: changed })).status).toBe(200);
    expect((await test.ask("GET", "/api/v1/groups", { as: "viewer" })).json.items).toEqual([
      { name: "prod", ...changed },
    ]);
    expect((await test.ask("PUT", "/api/v1/groups/none", { body: changed })).json.code).toBe("group-not-found");
    const as = await test.makeToken("operator", ["env=prod"]);
    expect((await test.ask("DELETE", "/api/v1/groups/prod", { as })).json.code).toBe("forbidden");
    expect((await test.ask("DELETE", "/api/v1/groups/prod")).status).toBe(204);
    expect((await test.ask("DELETE", "/api/v1/groups/prod")).json.code).toBe("group-not-found");
  });
});

describe("saved views", () => {
  it("belong to who saved them, and are shown to others when they are shared", async () => {
    const save = (title: string, shared: boolean) =>
      test.ask("POST", "/api/v1/views", { as: "viewer", body: { title, query: "phase=Running", shared } });
    const [own, shared] = [await save("mine", false), await save("ours", true)];
    expect(own.json).toMatchObject({ owner: "tester", title: "mine", query: "phase=Running", shared: false });
    const actor = { type: "system", name: "test" } as const;
    const bob = await test.store.access.createUser(actor, { name: "bob", role: "admin" });
    const as = "drv_bob";
    const token = { userId: bob.id, name: "t", tokenHash: sha256(as), role: "admin" } as const;
    await test.store.access.createToken(actor, token);
    const list = async (who: "viewer" | typeof as) =>
      (await test.ask("GET", "/api/v1/views", { as: who })).json.items as unknown as { title: string }[];
    expect((await list("viewer")).map(({ title }) => title).sort()).toEqual(["mine", "ours"]);
    expect((await list(as)).map(({ title }) => title)).toEqual(["ours"]);
    const remove = (id: unknown, who: "viewer" | typeof as) =>
      test.ask("DELETE", `/api/v1/views/${String(id)}`, { as: who });
    expect((await remove(shared.json.id, as)).json.code).toBe("view-not-found");
    expect((await remove(own.json.id, "viewer")).status).toBe(204);
    expect((await remove(own.json.id, "viewer")).json.code).toBe("view-not-found");
  });
});
