import { isK3sVersion, minorOf } from "../version.ts";
import type { Rule } from "./rule.ts";

const PATH = "spec.kubernetes.version";

export const checkVersion: Rule = ({ spec }, report, { versions }) => {
  const version = spec?.kubernetes?.version;
  if (version === undefined) {
    if (spec?.provider !== "ssh" || report.isBroken("spec.kubernetes")) return;
    report.add(PATH, "version-required", `${PATH} is missing; machines have no version of their own to fall back on.`);
    return;
  }
  const minor = minorOf(version);
  if (minor < versions.oldest || minor > versions.newest) {
    const range = `v1.${versions.oldest} to v1.${versions.newest}`;
    report.add(
      PATH,
      "version-unsupported",
      `${PATH} is ${version}; supported are ${range}.`,
      `Choose one of ${range}.`,
    );
  }
  const isK3s = spec?.provider === "k3d" || spec?.ssh?.distribution === "k3s";
  if (isK3sVersion(version) && !isK3s && spec?.provider !== "simulated" && !report.isBroken("spec.ssh.distribution")) {
    report.add(PATH, "version-not-k3s", `${PATH} is ${version}, but the cluster does not run k3s.`);
  }
};
