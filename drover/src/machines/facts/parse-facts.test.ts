import { spawnSync } from "node:child_process";
import { machineFacts } from "@drover/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FACTS_SCRIPT } from "./facts-script.ts";
import { parseFacts } from "./parse-facts.ts";

const ASKED = { sentAt: 1_700_000_000_000, answeredAt: 1_700_000_000_200 };

const TOLD = String.raw`
began	1700000000.050
uid	0
uname	web-1 6.1.0-18-amd64 x86_64
os	ID=debian
os	VERSION_ID="12"
os	PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
cpus	4
memory	MemTotal: 8000000
memory	SwapTotal: 1024
disk	Filesystem     1024-blocks     Used Available Capacity Mounted on
disk	/dev/vda1         20000000 5000000  15000000      25% /
disk	/dev/vda1         20000000 5000000  15000000      25% /
disk	/dev/vdb1         40000000 5000000  35000000      12% /var/lib/my data
address	1: lo    inet 127.0.0.1/8 scope host lo\       valid_lft forever
address	2: eth0    inet 10.0.0.11/24 brd 10.0.0.255 scope global eth0\       valid_lft forever
address	3: eth1@if7    inet6 fe80::1/64 scope link \       valid_lft forever
route	Iface	Destination	Gateway 	Flags
route	eth0	00000000	0100000A	0003
mac	eth0 02:FC:00:00:00:01
mac	lo 00:00:00:00:00:00
machine-id	3d1219c7c4c5404aaa1f6d2a48adfda4
product-uuid	4C4C4544-0042
packages	apt-get
init	systemd
cgroup	v2
port	   0: 00000000:0016 00000000:0000 0A 00000000:00000000
port	   1: 0100007F:192B 00000000:0000 0A 00000000:00000000
port	   2: 00000000000000000000000000000000:0016 0000:0000 0A 0
port	   3: 0000000000000000FFFF00000100007F:2726 0000:0000 0A 0
port	   4: 0100007F:1111 00000000:0000 01 00000000:00000000
selinux	1
apparmor	Y
trace	/var/lib/etcd
trace	/etc/passwd
mark	{ "clusterId": "01HX",
mark	  "clusterName": "prod" }
version	containerd containerd github.com/containerd/containerd 1.6.20~ds1 1.6.20~ds1-1
version	kubelet Kubernetes v1.33.13
version	kubeadm v1.33.13
version	k3s k3s version v1.34.4+k3s1 (abc)
program	ip yes
program	conntrack no
program	rm yes
module	overlay yes
sysctl	/proc/sys/net/ipv4/ip_forward:1
sysctl	/proc/sys/vm/max_map_count:65530
ended	1700000000.150
`;

describe("parseFacts", () => {
  it("reads what a machine told", () => {
    const facts = parseFacts(TOLD, ASKED);
    expect(facts).toMatchObject({
      os: { id: "debian", version: "12", title: "Debian GNU/Linux 12 (bookworm)" },
      ...{ architecture: "amd64", kernel: "6.1.0-18-amd64", cpus: 4, hostname: "web-1" },
      ...{ memoryBytes: 8_192_000_000, swapBytes: 1_048_576, root: true, cgroup: "v2" },
      disks: [
        { mount: "/", device: "/dev/vda1", totalBytes: 20_480_000_000, freeBytes: 15_360_000_000 },
        { mount: "/var/lib/my data", device: "/dev/vdb1" },
      ],
      addresses: [
        { interface: "eth0", address: "10.0.0.11", prefix: 24 },
        { interface: "eth1", address: "fe80::1", prefix: 64 },
      ],
      interfaces: [{ name: "eth0", mac: "02:fc:00:00:00:01" }],
      defaultRoute: { interface: "eth0", gateway: "10.0.0.1" },
      ...{ machineId: "3d1219c7c4c5404aaa1f6d2a48adfda4", productUuid: "4c4c4544-0042", container: null },
      ...{ packageManager: "apt-get", init: "systemd", selinux: "enforcing", apparmor: true },
      listening: [
        { port: 22, address: "0.0.0.0" },
        { port: 22, address: "::" },
        { port: 6443, address: "127.0.0.1" },
        { port: 10_022, address: "127.0.0.1" },
      ],
      software: {
        ...{ containerd: "1.6.20~ds1", kubelet: "v1.33.13", kubeadm: "v1.33.13", k3s: "v1.34.4+k3s1" },
        traces: ["/var/lib/etcd"],
        mark: { clusterId: "01HX", clusterName: "prod" },
      },
      programs: { ip: true, conntrack: false },
      modules: { overlay: true },
      sysctls: { "net.ipv4.ip_forward": "1", "vm.max_map_count": "65530" },
    });
    expect(machineFacts.parse(facts)).toEqual(facts);
  });

  it("takes the way there and back out of the difference of the clocks", () => {
    expect(parseFacts(TOLD, ASKED)?.clockSkewMs).toBe(0);
    const ahead = TOLD.replace("began\t1700000000", "began\t1700000060").replace(
      "ended\t1700000000",
      "ended\t1700000060",
    );
    expect(parseFacts(ahead, ASKED)?.clockSkewMs).toBe(59_950);
    expect(parseFacts(ahead.replaceAll(".050", ".%N").replaceAll(".150", ""), ASKED)?.clockSkewMs).toBe(59_800);
  });

  it("does not take the hardware of the host for that of a container", () => {
    expect(parseFacts(`${TOLD}container\tdocker\n`, ASKED)).toMatchObject({ container: "docker", productUuid: null });
  });

  it("knows that a mark which cannot be read is a mark", () => {
    const odd = `${TOLD.replace(/mark\t.*\n/g, "")}mark\tsomething else\n`;
    expect(parseFacts(odd, ASKED)?.software.mark).toEqual({ clusterId: "?", clusterName: null });
  });

  it("knows nothing from an answer that is none", () => {
    for (const text of ["", "\n\n", "Permission denied", "uid\t0\n", "uname\ta b c\n"])
      expect(parseFacts(text, ASKED)).toBeNull();
  });

  it("makes facts of the contract from whatever a machine says", () => {
    const kinds = [...new Set(TOLD.split("\n").map((line) => line.split("\t")[0] ?? ""))];
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(...TOLD.split("\n")),
      fc.string({ maxLength: 2000 }),
    );
    const line = fc.tuple(fc.constantFrom(...kinds, "__proto__", ""), value).map(([kind, text]) => `${kind}\t${text}`);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.boolean(), (lines, keeps) => {
        const facts = parseFacts([...(keeps ? [TOLD] : []), ...lines].join("\n"), ASKED);
        if (facts !== null) expect(machineFacts.parse(JSON.parse(JSON.stringify(facts)))).toEqual(facts);
        if (keeps) expect(facts).not.toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it("ends soon on an answer without end", () => {
    const long = `${TOLD}${"port\t   0: 00000000:0016 00000000:0000 0A 0\n".repeat(200_000)}`;
    expect(parseFacts(long, ASKED)?.listening).toHaveLength(4);
    expect(parseFacts(`${TOLD}address\t${"1: eth0 inet ".repeat(100_000)}`, ASKED)).not.toBeNull();
  });
});

describe("the script", () => {
  const shells = ["sh", "bash", "dash", "busybox"].filter(
    (shell) => spawnSync(shell, ["-c", "true"]).error === undefined,
  );

  for (const shell of shells) {
    it(`tells facts of this machine in ${shell}`, () => {
      const argv = shell === "busybox" ? ["sh", "-c", FACTS_SCRIPT] : ["-c", FACTS_SCRIPT];
      const sentAt = Date.now();
      const { stdout, stderr } = spawnSync(shell, argv, { encoding: "utf8" });
      const facts = parseFacts(stdout, { sentAt, answeredAt: Date.now() });
      expect(stderr).toBe("");
      expect(machineFacts.parse(facts)).toEqual(facts);
      expect(facts?.kernel).not.toBe("");
      expect(Math.abs(facts?.clockSkewMs ?? Number.NaN)).toBeLessThan(2_000);
      if (process.platform === "linux") expect(facts?.memoryBytes).toBeGreaterThan(0);
    });
  }
});
