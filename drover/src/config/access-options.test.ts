import { describe, expect, it } from "vitest";
import { loadOptions } from "./load-options.ts";

const load = (env: Record<string, string>) => loadOptions({ env: { HOME: "/home/zoe", ...env } });

describe("options of access", () => {
  it("let nobody in through a provider, trust no proxy, and limit rates, unless told otherwise", () => {
    expect(load({})).toMatchObject({
      ...{ oidcIssuer: null, oidcDefaultRole: "none", oidcRoles: [], trustedProxies: [], publicUrl: null },
      ...{ rateLimit: 200, anonymousRateLimit: 50, sessionIdle: 43_200_000, sessionLifetime: 604_800_000 },
    });
  });

  it("read groups with their roles", () => {
    expect(load({ DROVER_OIDC_ROLES: "admin=CN=ops=1, viewer=everyone," }).oidcRoles).toEqual([
      { role: "admin", group: "CN=ops=1" },
      { role: "viewer", group: "everyone" },
    ]);
  });

  it("read the addresses of proxies", () => {
    expect(load({ DROVER_TRUSTED_PROXIES: "10.0.0.7, fd00::/8" }).trustedProxies).toEqual(["10.0.0.7", "fd00::/8"]);
  });

  it.each([
    ["DROVER_OIDC_ROLES", "root=everyone"],
    ["DROVER_OIDC_ROLES", "admin"],
    ["DROVER_OIDC_ISSUER", "http://id.example.com"],
    ["DROVER_OIDC_ISSUER", "http://127.0.0.1.evil.example/"],
    ["DROVER_OIDC_ISSUER", "id.example.com"],
    ["DROVER_OIDC_DEFAULT_ROLE", "root"],
    ["DROVER_TRUSTED_PROXIES", "proxy.example.com"],
    ["DROVER_TRUSTED_PROXIES", "10.0.0.0/33"],
    ["DROVER_PUBLIC_URL", "drover.example.com"],
    ["DROVER_SESSION_IDLE", "1s"],
    ["DROVER_RATE_LIMIT", "-1"],
  ])("refuse %s=%s", (name, value) => {
    expect(() => load({ [name]: value })).toThrow(name);
  });

  it("take a provider over TLS, or on this machine", () => {
    expect(load({ DROVER_OIDC_ISSUER: "https://id.example.com/realms/a" }).oidcIssuer).toBe(
      "https://id.example.com/realms/a",
    );
    expect(load({ DROVER_OIDC_ISSUER: "http://127.0.0.1:9000/" }).oidcIssuer).toBe("http://127.0.0.1:9000/");
  });
});
