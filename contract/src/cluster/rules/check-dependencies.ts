import type { ClusterDraft, Report, Rule } from "./rule.ts";

/** A field that belongs to one value of another: needed with it, meaningless without it. */
interface Dependency {
  readonly path: string;
  readonly given: boolean;
  readonly wanted: boolean;
  /** Completes "… is needed because" and "… has no meaning because". */
  readonly because: string;
}

export const checkDependencies: Rule = (cluster, report) => {
  for (const { path, given, wanted, because } of dependencies(cluster)) {
    if (given === wanted || report.isBroken(path)) continue;
    if (wanted) report.add(path, "field-needed", `${path} is needed because ${because}.`);
    else report.add(path, "field-excluded", `${path} has no meaning because ${because}.`);
  }
  checkArtifacts(cluster, report);
  checkChoices(cluster, report);
};

function* dependencies({ spec }: ClusterDraft): Generator<Dependency> {
  const cni = spec?.networking?.cni;
  if (cni?.type !== undefined) {
    yield {
      path: "spec.networking.cni.manifest",
      given: cni.manifest !== undefined,
      wanted: cni.type === "manifest",
      because: `spec.networking.cni.type is ${cni.type}`,
    };
  }
  const sudo = spec?.ssh?.access?.sudo;
  if (sudo?.mode !== undefined) {
    yield {
      path: "spec.ssh.access.sudo.credential",
      given: sudo.credential !== undefined,
      wanted: sudo.mode === "password",
      because: `spec.ssh.access.sudo.mode is ${sudo.mode}`,
    };
  }
  const endpoint = spec?.ssh?.endpoint;
  if (endpoint?.type !== undefined) {
    const because = `spec.ssh.endpoint.type is ${endpoint.type}`;
    const floats = endpoint.type === "haproxy" || endpoint.type === "kube-vip";
    yield {
      path: "spec.ssh.endpoint.host",
      given: endpoint.host !== undefined,
      wanted: endpoint.type === "given",
      because,
    };
    yield { path: "spec.ssh.endpoint.virtualIp", given: endpoint.virtualIp !== undefined, wanted: floats, because };
  }
  yield* backupDependencies(spec?.ssh?.backup?.destination);
}

type Destination = NonNullable<NonNullable<NonNullable<ClusterDraft["spec"]>["ssh"]>["backup"]>["destination"];

function* backupDependencies(destination: Destination): Generator<Dependency> {
  if (destination?.type === undefined) return;
  const because = `spec.ssh.backup.destination.type is ${destination.type}`;
  const isStore = destination.type === "s3";
  for (const [field, wanted] of [
    ["path", !isStore],
    ["url", isStore],
    ["bucket", isStore],
  ] as const) {
    yield { path: `spec.ssh.backup.destination.${field}`, given: destination[field] !== undefined, wanted, because };
  }
}

function checkArtifacts({ spec }: ClusterDraft, report: Report): void {
  const artifacts = spec?.ssh?.artifacts;
  if (artifacts?.source === undefined || artifacts.location === undefined) return;
  const path = "spec.ssh.artifacts.location";
  const isDirectory = artifacts.source === "directory";
  if (isDirectory ? artifacts.location.startsWith("/") : /^https?:[/][/]/.test(artifacts.location)) return;
  const wanted = isDirectory ? "an absolute path" : "an http or https address";
  report.add(path, "bad-format", `${path} must be ${wanted} because spec.ssh.artifacts.source is ${artifacts.source}.`);
}

/** Of two fields exactly one, or at most one, may be there; and a range must not be upside down. */
function checkChoices({ spec }: ClusterDraft, report: Report): void {
  if (spec?.k3d?.network !== undefined && spec.k3d.subnet !== undefined) {
    const message = "spec.k3d.subnet has no meaning because spec.k3d.network names a network that exists.";
    report.add("spec.k3d.subnet", "field-excluded", message);
  }
  for (const [index, addon] of (spec?.addons ?? []).entries()) {
    const path = `spec.addons[${index}]`;
    if (addon === undefined || report.isBroken(path)) continue;
    if (addon.manifest === undefined && addon.chart === undefined) {
      report.add(path, "field-needed", `${path} has neither manifest nor chart.`, "Add one of the two.");
    } else if (addon.manifest !== undefined && addon.chart !== undefined) {
      report.add(`${path}.chart`, "field-excluded", `${path} has both manifest and chart.`);
    }
  }
  const latency = spec?.simulated?.latency;
  if (latency?.minimumMs !== undefined && latency.maximumMs !== undefined && latency.minimumMs > latency.maximumMs) {
    const path = "spec.simulated.latency.minimumMs";
    report.add(path, "out-of-range", `${path} (${latency.minimumMs}) is larger than maximumMs (${latency.maximumMs}).`);
  }
}
