import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Container } from "../../ports/container-engine.ts";
import { correctConfig } from "./load-balancer-config.ts";

const node = (role: "server" | "agent", index: number) => ({
  ...{ role, index },
  container: { name: `k3d-dev-${role}-${index}` } as Container,
});

const CONFIG = [
  "ports:",
  "  80.tcp:",
  "  - k3d-dev-server-0",
  "  - k3d-dev-agent-0",
  "  6443.tcp:",
  "  - k3d-dev-server-0",
  "settings:",
  "  workerConnections: 1024",
  "",
].join("\n");

describe("the configuration of the load balancer", () => {
  it("stays as it is while its nodes are those that are there", () => {
    expect(correctConfig(CONFIG, { servers: [node("server", 0)], agents: [node("agent", 0)] })).toBeNull();
  });

  it("loses nodes that are gone and gains new ones, and keeps the rest", () => {
    const nodes = { servers: [node("server", 0), node("server", 1)], agents: [node("agent", 7)] };
    expect(parse(correctConfig(CONFIG, nodes) ?? "")).toEqual({
      ports: {
        "80.tcp": ["k3d-dev-server-0", "k3d-dev-server-1", "k3d-dev-agent-7"],
        "6443.tcp": ["k3d-dev-server-0", "k3d-dev-server-1"],
      },
      settings: { workerConnections: 1024 },
    });
  });
});
