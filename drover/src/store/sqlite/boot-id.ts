import { readFileSync } from "node:fs";

export function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return `pid1-${process.platform}`; // without a boot id the file is taken to stay on one boot
  }
}
