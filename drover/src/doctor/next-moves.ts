import type { HostParts } from "./host-parts.ts";

type Platform = HostParts["platform"];

/** Those who are root often have no sudo, and need none. */
export const asRoot = ({ isRoot }: Platform, command: string): string => (isRoot ? command : `sudo ${command}`);

/** Where there are packages, without a script from elsewhere. */
export function installDocker(platform: Platform): string {
  if (platform.system === "darwin") return "brew install --cask docker && open -a Docker";
  if (platform.hasApt) return installPackages(platform, "docker.io");
  return `curl -fsSL https://get.docker.com | ${asRoot(platform, "sh")}`;
}

export function startDocker(platform: Platform): string {
  return platform.system === "darwin" ? "open -a Docker" : asRoot(platform, "systemctl start docker");
}

/** A program of one file, to where everybody has it on the search path. */
export function installProgram(platform: Platform, name: string, url: string, hasCurl: boolean): string {
  const file = `/usr/local/bin/${name}`;
  const fetch = asRoot(platform, `curl -fsSL --create-dirs -o ${file} ${url}`);
  const install = `${fetch} && ${asRoot(platform, `chmod +x ${file}`)}`;
  return hasCurl || !platform.hasApt ? install : `${installPackages(platform, "curl")} && ${install}`;
}

const installPackages = (platform: Platform, name: string): string =>
  `${asRoot(platform, "apt-get update")} && ${asRoot(platform, `apt-get install -y ${name}`)}`;
