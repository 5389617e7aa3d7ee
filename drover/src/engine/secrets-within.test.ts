import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { fakeStep as step } from "../../test/fake-step.ts";
import { FakeJob } from "../../test/run-fake-plan.ts";
import { secretsWithin } from "./secrets-within.ts";

const KEY = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIExample+Key/Of1Line\n-----END EC PRIVATE KEY-----\n";
const kubeconfig = {
  apiVersion: "v1",
  kind: "Config",
  users: [
    { name: "a", user: { token: "short-token" } },
    { name: "b", user: { username: "bob", password: "hunter2!" } },
    { name: "c", user: { "client-key-data": Buffer.from(KEY).toString("base64") } },
    { name: "d", user: { "auth-provider": { name: "oidc", config: { "refresh-token": "refresh-me" } } } },
  ],
};

describe("the secrets within a kubeconfig", () => {
  const alone = ["short-token", "hunter2!", KEY, "refresh-me"];

  it.each([
    ["in YAML", stringify(kubeconfig)],
    ["in JSON", JSON.stringify(kubeconfig)],
    ["as an entry of a secret", JSON.stringify({ kubeconfig: stringify(kubeconfig) })],
  ])("are found %s", (_, text) => {
    expect(secretsWithin(text)).toEqual(expect.arrayContaining([text, ...alone]));
    expect(secretsWithin(text)).not.toContain("bob");
  });

  it("are not looked for in what is none, or cannot be read", () => {
    for (const text of ["Config", "kind: Config\n\t- : [", "token: abc", "kind: Config\na: &a [*a]"]) {
      expect(secretsWithin(text)).toEqual([text]);
    }
  });

  it("are hidden each by itself in the log of a step that has masked the kubeconfig", async () => {
    const act = async (context: { mask(secret: string): void; log(text: string): void }) => {
      context.mask(stringify(kubeconfig));
      context.log("Authorization: Bearer short-token; bob:hunter2!");
      context.log("MHcCAQEEIExample+Key/Of1Line");
    };
    const job = new FakeJob([step("a", [])], { a: { act } });
    await job.run();
    expect(job.store.log.map(({ text }) => text)).toEqual(["Authorization: Bearer ***; bob:***", "***"]);
  });

  it("are hidden when a step reads the secret that holds it", async () => {
    const job = new FakeJob([step("a", [])], {
      a: {
        act: async (context) => {
          await context.readSecret("named", "prod");
          context.log("It said short-token.");
        },
      },
    });
    job.store.secretValues.set("named/prod", JSON.stringify({ kubeconfig: stringify(kubeconfig) }));
    await job.run();
    expect(job.store.log.map(({ text }) => text)).toEqual(["It said ***."]);
  });
});
