import { describe, expect, it } from "vitest";
import { until } from "../docker/support/cluster.ts";
import { describeOnMachines } from "./support/documents.ts";
import { MACHINES, type Machine, NEWER, OLDER, onMachine } from "./support/machines.ts";
import { useMachines } from "./support/world.ts";

const [first, second] = MACHINES as readonly [Machine, Machine];
const all = [first, second];
const world = useMachines("e2e-rotate", all);
const KEYS = "/etc/kubernetes/drover/encryption.yaml";
const ETCDCTL =
  "cd /etc/kubernetes/pki/etcd; etcdctl --endpoints https://127.0.0.1:2379 --cacert ca.crt --cert server.crt --key server.key";

async function declare(encryptSecrets: boolean, version = OLDER): Promise<void> {
  const ssh = { apiServer: { encryptSecrets } };
  await world.make(describeOnMachines(world.name, { version, controlPlanes: [first], workers: [second], ssh }));
}

/** With what the Secrets in the database begin, each once. */
async function prefixes(): Promise<readonly string[]> {
  const script = `${ETCDCTL} get /registry/secrets/ --prefix --keys-only | grep . | while read -r key; do
    ${ETCDCTL} get "$key" --print-value-only | head -c 48 | tr -c '[:print:]' '.' | sed 's/^\\(k8s:enc:secretbox:v1:[^:]*:\\).*/\\1/; s/^k8s[.].*/plain/'; echo
  done | sort -u`;
  return (await onMachine(first, script)).trim().split("\n");
}

const readSecret = () => world.kubectl("get", "secret", "safe", "-o", "jsonpath={.data.word}");
const WORD = Buffer.from("swordfish").toString("base64");

/**
 * Asks for the Secret again and again. An API server that starts may be away, or not know the roles of anybody yet; what it
 * answers has to be right, and nothing may be said of keys.
 */
function readOnAndOn(): { stop: () => Promise<{ read: number; away: number; wrong: readonly string[] }> } {
  let stopped = false;
  let [read, away] = [0, 0];
  const wrong: string[] = [];
  const ask =
    "kubectl --cache-dir /tmp/e2e-kubectl --kubeconfig /etc/kubernetes/admin.conf get secret safe -o 'jsonpath={.data.word}' 2>&1 || true";
  const loop = (async () => {
    while (!stopped) {
      const said = await onMachine(first, ask);
      if (said === WORD) read += 1;
      else if (
        /refused|EOF|timeout|timed out|Unable to connect|unreachable|reset by peer|ServiceUnavailable|shutting down|Forbidden/i.test(
          said,
        )
      )
        away += 1;
      else wrong.push(said);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await loop;
      return { read, away, wrong };
    },
  };
}

describe("keys and tokens of a cluster on machines", () => {
  let oldPrefix = "";
  let backup = "";

  it("encrypts Secrets from the start, with keys that only root may read", async () => {
    await declare(true);
    await world.settle();
    await world.kubectl("create", "secret", "generic", "safe", "--from-literal=word=swordfish");
    const [prefix = "", ...others] = await prefixes();
    expect(prefix).toMatch(/^k8s:enc:secretbox:v1:key-[0-9a-f]{12}:$/);
    expect(others).toEqual([]);
    oldPrefix = prefix;
    expect(await onMachine(first, `stat -c '%a %U' ${KEYS}`)).toBe("600 root\n");
    expect(await onMachine(second, `ls ${KEYS} 2>/dev/null || true`)).toBe("");
    const secret = (await onMachine(first, `sed -n 's/.*secret: //p' ${KEYS}`)).trim();
    expect(secret).not.toBe("");
    expect(await onMachine(first, "cat /proc/[0-9]*/cmdline | tr '\\0' ' '")).not.toContain(secret);
    for (const said of [JSON.stringify(await world.newestJob()), await world.place.must("logs", world.name)]) {
      expect(said).not.toContain(secret);
    }
  });

  it("keeps the keys with a backup, which a drill proves", async () => {
    await world.timed("backup", "cluster", world.name, "--wait");
    await world.timed("backup", "drill", world.name, "--wait");
    const [proven] = await world.listBackups();
    process.stdout.write(`${proven?.drill?.message}\n`);
    expect(proven?.drill).toMatchObject({ passed: true, message: expect.stringMatching(/encrypted Secrets/) });
    backup = proven?.id ?? "";
  });

  it("gets a new key, and the Secret can be read all the time", async () => {
    const reader = readOnAndOn();
    await world.timed("rotate", "encryption-key", world.name, "--wait");
    const { read, away, wrong } = await reader.stop();
    process.stdout.write(`read ${read} times, ${away} times nobody answered\n`);
    expect(wrong).toEqual([]);
    expect(read).toBeGreaterThan(10);
    const [prefix = "", ...others] = await prefixes();
    expect(others).toEqual([]);
    expect(prefix).toMatch(/^k8s:enc:secretbox:v1:key-/);
    expect(prefix).not.toBe(oldPrefix);
    expect(await onMachine(first, `grep -c 'name: key-' ${KEYS}`)).toBe("1\n");
  });

  it("has a Drover that was killed in the middle go on", async () => {
    const [now = ""] = await prefixes();
    const told = await onMachine(first, `sha256sum ${KEYS}`);
    await world.place.must("rotate", "encryption-key", world.name);
    await until(async () => (await onMachine(first, `sha256sum ${KEYS}`)) !== told, "the new key to come", 120_000);
    await world.kill();
    await world.waitForJob(({ state }) => state === "Succeeded", "the end of the rotation");
    const after = await prefixes();
    expect(after).toHaveLength(1);
    expect(after).not.toContain(now);
    expect(await readSecret()).toBe(WORD);
  });

  it("comes back from a backup of before, with every Secret readable and under the key of now", async () => {
    const [now = ""] = await prefixes();
    await world.kubectl("delete", "secret", "safe");
    await world.timed("restore", world.name, "--backup", backup, "--yes", "--wait");
    await world.settle();
    expect(await readSecret()).toBe(WORD);
    expect(await prefixes()).toEqual([now]);
    expect(await onMachine(first, `grep -c 'name: key-' ${KEYS}`)).toBe("1\n");
  });

  it("forgets every token by which a machine could have joined", async () => {
    const token = (await onMachine(first, "KUBECONFIG=/etc/kubernetes/admin.conf kubeadm token create")).trim();
    const tokens = () => world.kubectl("-n", "kube-system", "get", "secrets", "-o", "name");
    expect(await tokens()).toContain(`bootstrap-token-${token.split(".")[0]}`);
    await world.timed("rotate", "tokens", world.name, "--wait");
    expect(await tokens()).not.toMatch(/bootstrap-token-|kubeadm-certs/);
    const ask = `kubectl --cache-dir /tmp/e2e-kubectl --kubeconfig /dev/null --server https://127.0.0.1:6443 --insecure-skip-tls-verify --token ${token} get nodes 2>&1 || true`;
    await until(
      async () => /Unauthorized|must be logged in/.test(await onMachine(first, ask)),
      "the token to be of no use",
    );
  });

  it("stops encrypting when it is told to, and nothing is left of the keys", async () => {
    await declare(false);
    await world.settle();
    expect(await prefixes()).toEqual(["plain"]);
    expect(await readSecret()).toBe(WORD);
    expect(await onMachine(first, `ls ${KEYS} 2>/dev/null || true`)).toBe("");
    const manifest = await onMachine(first, "cat /etc/kubernetes/manifests/kube-apiserver.yaml");
    expect(manifest).not.toContain("encryption-provider-config");
  });

  it("encrypts what there is when it is told to", async () => {
    await declare(true);
    await world.settle();
    const now = await prefixes();
    expect(now).toHaveLength(1);
    expect(now[0]).toMatch(/^k8s:enc:secretbox:v1:key-/);
    expect(await readSecret()).toBe(WORD);
  });

  it("is upgraded, and goes on with its key", async () => {
    const [now = ""] = await prefixes();
    await declare(true, NEWER);
    await world.settle();
    await world.kubectl("create", "secret", "generic", "newer", "--from-literal=word=swordfish");
    expect(await prefixes()).toEqual([now]);
    expect(await readSecret()).toBe(WORD);
  });

  it("is deleted, and the machines are as they were found", async () => {
    await world.delete();
    await world.expectAsFound();
  });
});
