import type { Backup, Certificate } from "@drover/contract";
import { describeAge } from "../render/age.ts";
import type { Shown } from "../render/output.ts";
import { now } from "./resource.ts";

const MEBIBYTE = 2 ** 20;

export const backups: Shown<Backup> = {
  kind: "backup",
  nameOf: ({ id }) => id,
  columns: [
    { title: "ID", value: ({ id }) => id },
    { title: "AGE", moves: true, value: ({ createdTime }) => describeAge(createdTime, now()) },
    { title: "VERSION", value: ({ kubernetesVersion }) => kubernetesVersion },
    { title: "SIZE", value: ({ bytes }) => `${(bytes / MEBIBYTE).toFixed(1)}Mi` },
    { title: "KEYS", value: ({ keys }) => String(keys) },
    { title: "DRILL", value: ({ drill }) => (drill === null ? "never" : drill.passed ? "passed" : "failed") },
    { title: "REVISION", wide: true, value: ({ revision }) => String(revision) },
    { title: "LOCATION", wide: true, value: ({ location }) => location },
  ],
};

const DAY_MS = 86_400_000;

export const certificates: Shown<Certificate> = {
  kind: "certificate",
  nameOf: ({ node, name }) => `${node}/${name}`,
  columns: [
    { title: "NODE", value: ({ node }) => node },
    { title: "NAME", value: ({ name }) => name },
    { title: "KIND", value: ({ authority }) => (authority ? "authority" : "certificate") },
    { title: "ENDS", value: ({ endTime }) => endTime.slice(0, 10) },
    {
      title: "DAYS LEFT",
      moves: true,
      value: ({ endTime }) => String(Math.floor((Date.parse(endTime) - now()) / DAY_MS)),
    },
    { title: "PATH", wide: true, value: ({ path }) => path },
    { title: "SERIAL", wide: true, value: ({ serial }) => serial },
  ],
};
