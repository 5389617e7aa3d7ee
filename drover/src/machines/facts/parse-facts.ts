import type { MachineFacts } from "@drover/contract";
import { readMark } from "../mark.ts";
import { MODULES, PROGRAMS, SYSCTLS, TRACES } from "./facts-script.ts";
import { readAddresses, readDefaultRoute, readInterfaces, readListening } from "./parse-network.ts";
import { sortLines, type Told, toCount, toWord } from "./told.ts";

/** When the question left and when its answer was there, by the worker's clock. */
export interface AskedAt {
  readonly sentAt: number;
  readonly answeredAt: number;
}

/**
 * Reads what the script told. Takes any text: lines that make no sense are passed over, and what is missing is not
 * known. Null when it told nothing at all, so that an empty answer is not taken for an empty machine.
 */
export function parseFacts(output: string, asked: AskedAt): MachineFacts | null {
  const told = sortLines(output);
  const only = (kind: string): string | null => toWord(told(kind)[0]);
  const [hostname, kernel, machine] = (told("uname")[0] ?? "").split(" ").map(toWord);
  if (only("uid") === null || kernel === undefined) return null;
  const container = only("container");
  return {
    os: readSystem(told),
    architecture: machine === undefined || machine === null ? null : (ARCHITECTURES[machine] ?? machine),
    kernel: kernel ?? null,
    cpus: toCount(only("cpus")),
    memoryBytes: readMemory(told, "MemTotal:"),
    swapBytes: readMemory(told, "SwapTotal:"),
    disks: readDisks(told),
    addresses: readAddresses(told),
    interfaces: readInterfaces(told),
    defaultRoute: readDefaultRoute(told),
    hostname: hostname ?? null,
    machineId: only("machine-id"),
    productUuid: container === null ? (only("product-uuid")?.toLowerCase() ?? null) : null,
    container,
    packageManager: only("packages"),
    init: only("init"),
    clockSkewMs: readSkew(only("began"), only("ended"), asked),
    cgroup: oneOf(["v1", "v2"] as const, only("cgroup")),
    listening: readListening(told),
    selinux: SELINUX[only("selinux") ?? ""] ?? null,
    apparmor: APPARMOR[only("apparmor") ?? ""] ?? null,
    software: readSoftware(told),
    programs: readAnswers(told("program"), PROGRAMS),
    modules: readAnswers(told("module"), MODULES),
    sysctls: readSysctls(told),
    root: only("uid") === "0",
  };
}

const ARCHITECTURES: Readonly<Record<string, string>> = {
  ...{ x86_64: "amd64", aarch64: "arm64", armv7l: "arm", armv6l: "arm" },
  ...{ i386: "386", i686: "386", ppc64le: "ppc64le", s390x: "s390x", riscv64: "riscv64" },
};
const SELINUX: Readonly<Record<string, MachineFacts["selinux"]>> = {
  0: "permissive",
  1: "enforcing",
  none: "disabled",
};
const APPARMOR: Readonly<Record<string, boolean>> = { Y: true, N: false };

const oneOf = <T extends string>(words: readonly T[], word: string | null): T | null =>
  words.find((one) => one === word) ?? null;

function readSystem(told: Told): MachineFacts["os"] {
  const fields = new Map(
    told("os").map((line) => {
      const at = line.indexOf("=");
      return [line.slice(0, at), toWord(line.slice(at + 1).replaceAll(/^["']|["']$/g, ""))];
    }),
  );
  const id = fields.get("ID") ?? null;
  if (id === null) return null;
  return { id: id.toLowerCase(), version: fields.get("VERSION_ID") ?? null, title: fields.get("PRETTY_NAME") ?? null };
}

function readMemory(told: Told, field: string): number | null {
  const line = told("memory").find((one) => one.startsWith(`${field} `));
  const kibibytes = toCount(line?.slice(field.length + 1));
  return kibibytes === null ? null : inBytes(kibibytes);
}

const inBytes = (kibibytes: number): number => Math.min(kibibytes * 1024, Number.MAX_SAFE_INTEGER);

/** `device blocks used free capacity mount`, with one mount told as often as it was asked for. */
function readDisks(told: Told): MachineFacts["disks"] {
  const disks = new Map<string, MachineFacts["disks"][number]>();
  for (const line of told("disk")) {
    const [, device = "", total = "", free = "", mount = ""] =
      /^(\S+)\s+(\d{1,15})\s+\d{1,15}\s+(\d{1,15})\s+\S+\s+(\/.*)$/.exec(line) ?? [];
    const [place, name] = [toWord(mount), toWord(device)];
    if (place === null || name === null) continue;
    disks.set(place, {
      mount: place,
      device: name,
      totalBytes: inBytes(Number(total)),
      freeBytes: inBytes(Number(free)),
    });
  }
  return [...disks.values()];
}

/**
 * The clock is ahead by at most what lies between the question and the first word, and at least by what lies between
 * the last word and the answer. Of what is possible the smallest is taken: a slow way there is no wrong clock.
 */
function readSkew(began: string | null, ended: string | null, { sentAt, answeredAt }: AskedAt): number | null {
  const [first, last] = [toMilliseconds(began), toMilliseconds(ended)];
  if (first === null || last === null) return null;
  const [most, least] = [first - sentAt, last - answeredAt];
  const skew = Math.round(least > 0 ? least : most < 0 ? most : 0);
  return Number.isSafeInteger(skew) ? skew : null;
}

/** Seconds with or without a fraction: not every `date` knows one. */
function toMilliseconds(text: string | null): number | null {
  const [, seconds, fraction = ""] = /^(\d{1,12})(?:\.(\d{1,9}|%?N))?$/.exec(text ?? "") ?? [];
  if (seconds === undefined) return null;
  return Number(seconds) * 1000 + (/^\d+$/.test(fraction) ? Number(`0.${fraction}`) * 1000 : 0);
}

function readSoftware(told: Told): MachineFacts["software"] {
  const versions = new Map<string, string>();
  for (const line of told("version")) {
    const [name = "", ...said] = line.split(" ");
    const version = /(?:^|[^\w.])(v?\d{1,4}\.\d{1,4}[\w.+~-]{0,60})/.exec(said.join(" "))?.[1];
    versions.set(name, toWord(version) ?? "?");
  }
  const version = (name: string) => versions.get(name) ?? null;
  return {
    ...{ containerd: version("containerd"), k3s: version("k3s") },
    ...{ kubelet: version("kubelet"), kubeadm: version("kubeadm") },
    traces: TRACES.filter((path) => told("trace").includes(path)),
    mark: readMark(told("mark").join("\n")),
  };
}

function readAnswers(lines: readonly string[], known: readonly string[]): Record<string, boolean> {
  const answers: Record<string, boolean> = {};
  for (const name of known) {
    if (lines.includes(`${name} yes`)) answers[name] = true;
    else if (lines.includes(`${name} no`)) answers[name] = false;
  }
  return answers;
}

function readSysctls(told: Told): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of SYSCTLS) {
    const start = `/proc/sys/${name.replaceAll(".", "/")}:`;
    const value = toWord(
      told("sysctl")
        .find((line) => line.startsWith(start))
        ?.slice(start.length),
    );
    if (value !== null) values[name] = value;
  }
  return values;
}
