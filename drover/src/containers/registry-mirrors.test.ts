import { expect, it } from "vitest";
import { mirrorFile } from "./registry-mirrors.ts";

it("leads containerd to the mirrors of a registry, first one first", () => {
  const endpoints = ["https://a.test", "http://b.test:5000"];
  const { path, content } = mirrorFile({ host: "docker.io", endpoints }, undefined);
  expect(path).toBe("/etc/containerd/certs.d/docker.io/hosts.toml");
  expect(content).toBe(
    '[host."https://a.test"]\n  capabilities = ["pull", "resolve"]\n\n[host."http://b.test:5000"]\n  capabilities = ["pull", "resolve"]\n',
  );
});

it("accepts certificates and shows credentials as it is told to, for all registries where it is told so", () => {
  const credential = { username: "ada", password: 'p"w' };
  const { path, content } = mirrorFile({ host: "*", endpoints: ["https://a.test"], insecure: true }, credential);
  expect(path).toBe("/etc/containerd/certs.d/_default/hosts.toml");
  expect(content).toContain("  skip_verify = true\n");
  expect(content).toContain(`authorization = "Basic ${Buffer.from('ada:p"w').toString("base64")}"`);
});
