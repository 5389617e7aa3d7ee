import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createProxy } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeKubernetes } from "../../../test/fake-kubernetes/fake-kubernetes.ts";
import { systemClock } from "../../ports/clock.ts";
import type { Command } from "../../ports/connector.ts";
import type { KubernetesTarget } from "../../ports/kubernetes-api.ts";
import { systemTimer } from "../../ports/timer.ts";
import { KubernetesClient } from "./kubernetes-client.ts";

const { signal } = new AbortController();

let fake: FakeKubernetes;
let client: KubernetesClient;
let folder: string;
let ran: Command[];
/** What the credential program prints next. */
let printed: string[];

const programs = {
  run: async (command: Command) => {
    ran.push(command);
    const stdout = printed.length > 1 ? (printed.shift() as string) : (printed[0] ?? "");
    return { exitCode: stdout === "" ? 1 : 0, signal: null, stdout, stderr: "", dropped: { stdout: 0, stderr: 0 } };
  },
};

const newClient = (deadlineMs?: number) =>
  new KubernetesClient({
    ...{ clock: systemClock, timer: systemTimer, programs },
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });

beforeEach(async () => {
  fake = await FakeKubernetes.start({ serverCertificateEnds: Date.now() + 50_000_000, clientCertificateEnds: ENDS });
  client = newClient();
  folder = mkdtempSync(join(tmpdir(), "drover-kubernetes-"));
  ran = [];
  printed = [];
});

const ENDS = Math.ceil(Date.now() / 1_000) * 1_000 + 40_000_000;

afterEach(async () => {
  await client.close();
  await fake.stop();
  rmSync(folder, { recursive: true });
});

const look = (target: KubernetesTarget) => client.look(target, { thorough: true, signal });

describe("a dangerous kubeconfig", () => {
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "/bin/get-token", args: ["--for", "a b"] };

  it.each<[string, () => string, string]>([
    ["a credential program", () => fake.kubeconfig({ user: { exec } }), "allow.exec"],
    ["an auth-provider", () => fake.kubeconfig({ user: { "auth-provider": { name: "gcp" } } }), "allow.authProvider"],
    ["files", () => fake.kubeconfig({ user: { tokenFile: "/etc/token" } }), "allow.files"],
    ["a proxy", () => fake.kubeconfig({ cluster: { "proxy-url": "http://127.0.0.1:1" } }), "allow.proxy"],
    [
      "no check of certificates",
      () => fake.kubeconfig({ cluster: { "insecure-skip-tls-verify": true } }),
      "allow.insecureTls",
    ],
    ["no encryption", () => fake.kubeconfig({ cluster: { server: "http://127.0.0.1:1" } }), "allow.insecureTls"],
  ])("with %s is refused, and nothing of it is used", async (_, kubeconfig, named) => {
    await expect(look({ kubeconfig: kubeconfig() })).rejects.toMatchObject({
      reason: "forbidden-kubeconfig",
      message: expect.stringContaining(named),
    });
    expect([ran, fake.requests]).toEqual([[], []]);
  });

  it("with an auth-provider is refused even when it is allowed, as there is no such thing any more", async () => {
    const kubeconfig = fake.kubeconfig({ user: { "auth-provider": { name: "gcp" } } });
    await expect(look({ kubeconfig, allow: { authProvider: true } })).rejects.toThrow(
      "Use a credential program (exec)",
    );
  });

  it("is not quoted when it cannot be read", async () => {
    await expect(look({ kubeconfig: "token: {hunter2: [}" })).rejects.toThrow(/^(?!.*hunter2).*cannot be read as YAML/);
  });

  it("runs its credential program once, as a list of arguments, and again when the API no longer takes the token", async () => {
    const answer = (token: string) => JSON.stringify({ status: { token } });
    printed = [answer("old"), answer(fake.token)];
    const target = { kubeconfig: fake.kubeconfig({ user: { exec } }), allow: { exec: true } };
    await client.get(target, "/api/v1/nodes", signal);
    await client.get(target, "/api/v1/nodes", signal);
    expect(ran.map(({ argv }) => argv)).toEqual(Array(2).fill(["/bin/get-token", "--for", "a b"]));
    expect(JSON.parse(ran[0]?.environment?.["KUBERNETES_EXEC_INFO"] ?? "")).toMatchObject({
      kind: "ExecCredential",
      spec: { interactive: false },
    });
  });

  it("takes a certificate from its credential program", async () => {
    const { cert, key } = fake.material.client;
    printed = [JSON.stringify({ status: { clientCertificateData: cert, clientKeyData: key } })];
    const target = { kubeconfig: fake.kubeconfig({ user: { exec } }), allow: { exec: true } };
    expect((await look(target)).withheld).toEqual([]);
  });

  it("says which program gave no credentials, without what it printed", async () => {
    printed = ["secret, but no JSON"];
    const target = { kubeconfig: fake.kubeconfig({ user: { exec } }), allow: { exec: true } };
    const asked = client.get(target, "/api/v1/nodes", signal);
    await expect(asked).rejects.toThrow(/^(?!.*secret).*\/bin\/get-token .* is not JSON/);
  });

  it("reads the files that it names when it is allowed to", async () => {
    const { ca, client: own } = fake.material;
    for (const [name, text] of Object.entries({ ca, cert: own.cert, key: own.key })) {
      writeFileSync(join(folder, name), text);
    }
    const kubeconfig = fake.kubeconfig({
      cluster: { "certificate-authority-data": null, "certificate-authority": join(folder, "ca") },
      user: { "client-certificate": join(folder, "cert"), "client-key": join(folder, "key") },
    });
    expect((await look({ kubeconfig, allow: { files: true } })).certificates.client).toBe(ENDS);
  });

  it("goes through its proxy when it is allowed to", async () => {
    const asked: string[] = [];
    const proxy = createProxy();
    proxy.on("connect", ({ url = "" }, socket) => {
      asked.push(url);
      const through = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        through.pipe(socket).pipe(through);
      });
      socket.on("error", () => through.destroy());
      through.on("error", () => socket.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const at = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    try {
      const seen = await look({
        kubeconfig: fake.kubeconfig({ cluster: { "proxy-url": at } }),
        allow: { proxy: true },
      });
      expect([seen.ready, asked[0]]).toEqual([true, fake.server.replace("https://", "")]);
    } finally {
      await client.close();
      proxy.closeAllConnections();
      proxy.close();
    }
  });

  it("accepts any certificate only when it is allowed to", async () => {
    const stranger = await FakeKubernetes.start();
    const cluster = { server: stranger.server };
    try {
      await expect(look({ kubeconfig: fake.kubeconfig({ cluster }) })).rejects.toThrow(
        "its certificate is not signed by the authority of the kubeconfig",
      );
      const kubeconfig = fake.kubeconfig({ cluster: { ...cluster, "insecure-skip-tls-verify": true } });
      expect((await look({ kubeconfig, allow: { insecureTls: true } })).ready).toBe(true);
    } finally {
      await client.close();
      await stranger.stop();
    }
  });
});

describe("a look", () => {
  const target = (): KubernetesTarget => ({ kubeconfig: fake.kubeconfig() });

  it("tells when both certificates end", async () => {
    const { certificates } = await look(target());
    expect(certificates.client).toBe(ENDS);
    expect(certificates.server).toBeGreaterThan(Date.now() + 40_000_000);
  });

  it("uses what was measured where somebody measures", async () => {
    fake.objects.addNode("n1", { roles: ["control-plane"] });
    fake.objects.addPod("p1", { node: "n1", requests: { cpu: "2" } });
    fake.objects.metrics = { n1: { cpu: "250m", memory: "1Gi" } };
    const seen = await look(target());
    expect(seen.useFrom).toBe("metrics");
    expect(seen.nodes[0]).toMatchObject({ roles: ["control-plane"], cpu: { used: 0.25 }, pods: { used: 1 } });
  });

  it("goes through all pages of a long list", async () => {
    fake.objects.addNode("n1");
    for (let index = 0; index < 1_234; index += 1) fake.objects.addPod(`p${index}`, { node: "n1" });
    expect((await look(target())).nodes[0]?.pods.used).toBe(1_234);
  });

  const moveOn = (times: number) => {
    let left = times;
    fake.disturb = async ({ url = "" }, response) => {
      if (!url.startsWith("/api/v1/pods?") || !url.includes("continue=") || left === 0) return false;
      left -= 1;
      response.writeHead(410, { "content-type": "application/json" }).end('{"kind":"Status","reason":"Expired"}');
      return true;
    };
  };
  const crashing = { phase: "Running", containerStatuses: [{ state: { waiting: { reason: "CrashLoopBackOff" } } }] };

  it("starts over when a list has moved on in the middle, and counts nothing twice", async () => {
    fake.objects.addNode("n1");
    for (let index = 0; index < 700; index += 1) fake.objects.addPod(`p${index}`, { node: "n1" });
    moveOn(1);
    expect((await look(target())).nodes[0]?.pods.used).toBe(700);
  });

  it("does not take a part of a list for all of it: then the use of nodes is not known, and the system is asked for apart", async () => {
    fake.objects.addNode("n1");
    for (let index = 0; index < 700; index += 1) fake.objects.addPod(`p${index}`, { node: "n1" });
    fake.objects.addPod("coredns", { namespace: "kube-system", status: crashing });
    moveOn(Number.POSITIVE_INFINITY);
    const seen = await look(target());
    expect([seen.nodes[0]?.pods.used, seen.useFrom, seen.withheld]).toEqual([null, null, []]);
    expect(seen.unwellPods).toEqual(["coredns (CrashLoopBackOff)"]);
  });

  it("does not take the first pages of an endless list for all of it", async () => {
    fake.objects.addNode("n1");
    fake.disturb = async ({ url = "" }, response) => {
      if (!url.startsWith("/api/v1/pods?")) return false;
      const body = { metadata: { continue: "more" }, items: [{ metadata: { name: "p" }, spec: { nodeName: "n1" } }] };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      return true;
    };
    expect((await look(target())).nodes[0]?.pods.used).toBeNull();
  });

  it("names the pods of the system that are not well, and no others", async () => {
    fake.objects.addPod("coredns", { namespace: "kube-system", status: crashing });
    fake.objects.addPod("etcd", { namespace: "kube-system" });
    fake.objects.addPod("mine", { status: crashing });
    expect((await look(target())).unwellPods).toEqual(["coredns (CrashLoopBackOff)"]);
  });

  it("tells what the credentials may not see", async () => {
    fake.forbidden.push(/nodes$/, /pods$/);
    expect(await look(target())).toMatchObject({ ready: true, nodes: [], withheld: ["nodes", "pods"], useFrom: null });
  });

  it("keeps what it knew while the API is not ready", async () => {
    fake.objects.addNode("n1");
    await look(target());
    fake.ready = false;
    expect(await look(target())).toMatchObject({ ready: false, nodes: [{ name: "n1" }] });
  });

  it("asks only two questions when it need not be thorough, over connections that are there", async () => {
    await look(target());
    const [asked, open] = [fake.requests.length, await fake.connections];
    await client.look(target(), { thorough: false, signal });
    expect(fake.requests.slice(asked).sort()).toEqual(["GET /readyz", "GET /version"]);
    expect(await fake.connections).toBeLessThanOrEqual(open);
  });

  it("looks thoroughly again over the connections of the first time", async () => {
    const met = new Set<unknown>();
    fake.disturb = async ({ socket }) => {
      met.add(socket);
      return false;
    };
    await look(target());
    const first = met.size;
    await look(target());
    expect(met.size).toBe(first);
  });

  it("works again right after the server was restarted", async () => {
    await look(target());
    await fake.stop();
    await expect(look(target())).rejects.toMatchObject({ reason: "unreachable" });
    await fake.listen();
    expect((await look(target())).ready).toBe(true);
  });

  it("gives up on a server that takes the question and never answers", async () => {
    fake.disturb = () => new Promise(() => {});
    const impatient = newClient(200);
    const asked = impatient.look(target(), { thorough: true, signal });
    await expect(asked).rejects.toThrow("it did not answer within 0.2 s");
    await impatient.close();
  });

  it("does not listen to an answer without an end", async () => {
    fake.disturb = async (_, response) => {
      const chunk = Buffer.alloc(1024 * 1024, " ");
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more);
      more();
      return true;
    };
    await expect(client.get(target(), "/api/v1/nodes", signal)).rejects.toThrow("The answer is larger than");
  });

  it("says in one sentence that something else answered", async () => {
    fake.disturb = async (_, response) => {
      response.end("<html>");
      return true;
    };
    await expect(client.get(target(), "/api/v1/nodes", signal)).rejects.toThrow("does not speak as a Kubernetes API");
  });

  it("names the disruption budget that guards a pod", async () => {
    fake.objects.addPod("web", { guarded: 1 });
    const evicting = client.post(target(), "/api/v1/namespaces/default/pods/web/eviction", {}, signal);
    await expect(evicting).rejects.toMatchObject({
      status: 429,
      message: expect.stringMatching(
        /answered 429: Cannot evict .* The disruption budget guard needs 1 healthy pods\./,
      ),
    });
  });

  it("sends whom the kubeconfig impersonates, rather than using more rights", async () => {
    let sent: unknown;
    fake.disturb = async ({ headers }) => {
      sent = [headers["impersonate-user"], headers["impersonate-group"]];
      return false;
    };
    const user = { token: fake.token, as: "jane", "as-groups": ["devs"] };
    await client.get({ kubeconfig: fake.kubeconfig({ user }) }, "/api/v1/nodes", signal);
    expect(sent).toEqual(["jane", "devs"]);
  });
});
