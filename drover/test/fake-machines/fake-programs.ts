import { MARK_FILE, TRACES } from "../../src/machines/facts/facts-script.ts";
import { type FakeMachine, no, ok, type Program, type Said, sumOf } from "./fake-machine.ts";

/** The few programs of any Linux that steps call, on the files and units of a fake machine. */
export const LINUX: Readonly<Record<string, Program>> = {
  cat: ([path = ""], machine) => {
    if (path === "/etc/machine-id") return ok(`${machineIdOf(machine)}\n`);
    return machine.files.has(path) ? ok(machine.files.get(path)) : no();
  },
  cut: (args, { files }) => {
    const text = files.get(args.at(-1) ?? "");
    return text === undefined ? no() : ok(text.replace(/^[^\t]*\t([^\t]*)\t.*$/gm, "$1"));
  },
  ls: ([, ...paths], machine) =>
    ok(
      paths
        .filter((path) => machine.has(path))
        .map((path) => `${path}\n`)
        .join(""),
    ),
  sha256sum: (paths, { files }) => sums(paths, files),
  test: ([, path = ""], machine) => (machine.has(path) ? ok() : no()),
  grep: ([, pattern = "", path = ""], { files }) =>
    new RegExp(pattern, "m").test(files.get(path) ?? "") ? ok("1\n") : no(),
  mkdir: () => ok(),
  rm: (args, machine) => {
    for (const path of args) machine.removeAll(path);
    return ok();
  },
  sysctl: ([, ...names]) => ok(names.map(() => "1\n").join("")),
  containerd: () => ok("containerd github.com/containerd/containerd 1.6.20 abc\n"),
  systemctl: ([verb = "", ...rest], { units }) => {
    const unit = units.get(rest.at(-1) ?? "") ?? { enabled: false, active: false };
    if (verb === "is-active") {
      const states = rest.map((name) => (units.get(name)?.active === true ? "active\n" : "inactive\n"));
      return { exitCode: states.includes("active\n") ? 0 : 3, stdout: states.join("") };
    }
    if (verb === "is-enabled") return unit.enabled ? ok("enabled\n") : { exitCode: 1, stdout: "disabled\n" };
    units.set(rest.at(-1) ?? "", {
      enabled: unit.enabled || verb === "enable",
      active: unit.active || verb === "restart",
    });
    return ok();
  },
  ctr: () => ok(),
};

function sums(paths: readonly string[], files: ReadonlyMap<string, string>): Said {
  const there = paths.filter((path) => files.has(path));
  const stdout = there.map((path) => `${sumOf(files.get(path) ?? "")}  ${path}\n`).join("");
  return { exitCode: there.length === paths.length ? 0 : 1, stdout };
}

const machineIdOf = ({ host }: FakeMachine): string => sumOf(host).slice(0, 32);

/** A machine that a control plane can be made of, unless it tells otherwise: the first line of a kind counts. */
function factsOf(machine: FakeMachine): readonly string[] {
  const traces = TRACES.filter((path) => machine.has(path)).map((path) => `trace\t${path}`);
  const mark = machine.files.get(MARK_FILE);
  return [
    `began\t${Date.now() / 1000}`,
    ...machine.tells,
    ...["uid\t0", `uname\t${machine.host} 6.1.0 x86_64`, "cpus\t4", "init\tsystemd", "cgroup\tv2"],
    `machine-id\t${machineIdOf(machine)}`,
    ...(machine.tells.some((line) => line.startsWith("memory")) ? [] : ["memory\tMemTotal: 8000000"]),
    ...traces,
    ...(mark === undefined ? [] : mark.split("\n").map((line) => `mark\t${line}`)),
  ];
}

/** Our own scripts, by their names, as far as files and units tell of what they do. */
export const SCRIPTS: Readonly<Record<string, Program>> = {
  "drover-tell-facts": (_args, machine) => ok(`${factsOf(machine).join("\n")}\n`),
  "drover-claim-machine": ([, path = "", text = ""], { files }) => {
    if (!files.has(path)) files.set(path, text);
    return ok();
  },
  "drover-note-as-found": ([base = "", ...things], { files }) => {
    const list = `${base}/as-found.tsv`;
    const before = files.get(list) ?? "";
    const noted = new Set(before.split("\n").map((line) => line.split("\t")[1]));
    const added = things
      .filter((thing) => !noted.has(thing))
      .map((thing) => {
        const was = files.get(thing);
        if (was !== undefined) files.set(`${base}/before/${sumOf(thing)}`, was);
        return `${was === undefined ? "nothing" : "file"}\t${thing}\t-\n`;
      });
    files.set(list, before + added.join(""));
    return ok();
  },
  "drover-restore-as-found": ([base = ""], machine) => {
    for (const line of (machine.files.get(`${base}/as-found.tsv`) ?? "").split("\n").reverse()) {
      const [kind, thing = ""] = line.split("\t");
      const was = machine.files.get(`${base}/before/${sumOf(thing)}`);
      if (kind === "nothing") machine.removeAll(thing);
      if (kind === "file" && was !== undefined) machine.files.set(thing, was);
    }
    return ok();
  },
  "drover-clear-kubernetes": (_args, machine) => {
    for (const unit of ["kubelet", "drover-etcd.service"]) machine.units.delete(unit);
    return ok();
  },
  "drover-stop-unit": ([unit = ""], { units }) => {
    units.set(unit, { enabled: false, active: false });
    return ok();
  },
  "drover-forget-machine": (folders, machine) => {
    for (const folder of folders) machine.removeAll(folder);
    return ok();
  },
  "drover-list-sums": ([, ...paths], { files }) => ({ ...sums(paths, files), exitCode: 0 }),
  "drover-note-sums": () => ok(),
  "drover-count-watchers": () => ok("6 4\n"),
  "drover-import-images": ([base = "", sum = "", archive = ""], machine) => {
    const path = `${base}/images.tsv`;
    machine.files.set(path, `${machine.files.get(path) ?? ""}${sum}\n`);
    machine.removeAll(archive);
    return ok();
  },
  "drover-list-imported": ([base = ""], { files }) => ok(files.get(`${base}/images.tsv`) ?? ""),
  "drover-drop-virtual-address": ([note = ""], machine) => {
    machine.files.delete(note);
    return ok();
  },
  "drover-find-endpoint": () => ok("card eth0\n"),
  "drover-unpack-endpoint": ([tree = "", stamp = "", ...packages], machine) => {
    machine.files.set(`${tree}/stamp`, stamp);
    for (const path of packages) machine.removeAll(path);
    return ok();
  },
  "drover-start-endpoint": ([wanted = "", kept = "", ...units], machine) => {
    for (const unit of units) machine.units.set(unit, { enabled: true, active: true });
    machine.files.set(kept, wanted);
    return ok();
  },
  "drover-apply-settings": ([, ...stamps], machine: FakeMachine) => {
    const [startedWith = "", wanted = "", kubeletWith = "", kubeletWanted = ""] = stamps;
    machine.units.set("containerd", { enabled: true, active: true });
    machine.units.set("kubelet", { enabled: true, active: machine.units.get("kubelet")?.active ?? false });
    machine.files.set(startedWith, wanted).set(kubeletWith, kubeletWanted);
    return ok();
  },
};
