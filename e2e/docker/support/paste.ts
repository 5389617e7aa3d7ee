import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What next moves may call. None of them does anything here, but for the one that runs the others. */
const PROGRAMS = ["apt-get", "brew", "chmod", "curl", "open", "sh", "sysctl", "systemctl", "tee"];

/** Pastes a line into a shell that has nothing else, and answers which programs it called; throws when it fails. */
export function paste(line: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "drover-e2e-paste-"));
  const log = join(folder, "log");
  const write = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  for (const name of PROGRAMS) write(name, `echo "${name} $*" >> "${log}"`);
  write("sudo", 'exec "$@"');
  try {
    execFileSync("/bin/sh", ["-c", line], { env: { PATH: folder }, stdio: ["ignore", "ignore", "pipe"] });
    const called = existsSync(log) ? readFileSync(log, "utf8") : "";
    return called.split("\n").flatMap((call) => (call === "" ? [] : [call.trim()]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
