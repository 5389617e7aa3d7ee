import { describe, expect, it } from "vitest";
import { percentOf, readLine } from "./progress.ts";

describe("a line of k3d", () => {
  it("is read with its level, as Go has quoted it", () => {
    expect(readLine('time="2026-11-15T14:23:06Z" level=info msg="Prep: Network"')).toEqual({
      level: "info",
      message: "Prep: Network",
    });
    expect(readLine('time="x" level=error msg="Get \\"https://r/v2/\\": no such host"')?.message).toBe(
      'Get "https://r/v2/": no such host',
    );
    expect(readLine("time=now level=warning msg=short")?.message).toBe("short");
  });

  it("is none where k3d shows people what to type", () => {
    expect(readLine("export KUBECONFIG=$(k3d kubeconfig write dev)")).toBeNull();
    expect(readLine("kubectl cluster-info")).toBeNull();
  });

  it("says how far a create is, and never goes back", () => {
    const lines = [
      "Prep: Network",
      "Created image volume k3d-dev-images",
      "Starting new tools node...",
      "Creating node 'k3d-dev-server-0'",
      "Creating LoadBalancer 'k3d-dev-serverlb'",
      "Starting cluster 'dev'",
      "Starting the initializing server...",
      "Starting servers...",
      "Starting agents...",
      "Starting helpers...",
      "Injecting records for hostAliases (incl. host.k3d.internal)",
      "Cluster 'dev' created successfully!",
    ];
    const percents = lines.map((message) => percentOf({ level: "info", message }));
    expect(percents).toEqual([...percents].sort((left, right) => Number(left) - Number(right)));
    expect(percents.at(-1)).toBe(100);
    expect(percentOf({ level: "info", message: "HostIP: using network gateway" })).toBeNull();
  });
});
