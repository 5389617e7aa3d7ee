import { z } from "zod";
import { isCidr, isIpAddress } from "./addresses.ts";
import { describe } from "./field.ts";

/*
 * Every pattern here is read by two engines, JavaScript's and Go's RE2, so none looks ahead or refers back,
 * and none can backtrack more than linearly. Length is checked first: an overlong string never meets a pattern.
 */

const LABEL = "[a-z0-9]+(-+[a-z0-9]+)*";
const TEXT = "[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]";
export const PRINTABLE = "[^\\x00-\\x1f\\x7f-\\x9f]";

export function text(maximum: number, pattern: RegExp): z.ZodString {
  return z.string().min(1, { abort: true }).max(maximum, { abort: true }).regex(pattern);
}

export function integer(minimum: number, maximum: number): z.ZodInt {
  return z.int().min(minimum).max(maximum);
}

/** RFC 1123 label: what Kubernetes, Docker, DNS and git all accept as a name. */
export const dnsLabel = text(63, new RegExp(`^${LABEL}$`));

export const dnsSubdomain = text(253, new RegExp(`^${LABEL}(\\.${LABEL})*$`));

/** A DNS name whose last label starts with a letter, so that no broken IPv4 address passes for one. */
const HOST_NAME = `^(${LABEL}\\.)*[a-z][a-z0-9]*(-+[a-z0-9]+)*$`;
const hostName = new RegExp(HOST_NAME);

/** An IP address or a DNS name. */
export const host = z
  .string()
  .min(1, { abort: true })
  .max(253, { abort: true })
  .refine((value) => isIpAddress(value) || hostName.test(value), { params: { kind: "host" } })
  .meta({
    cel: [
      {
        rule: `isIP(self) || self.matches('${HOST_NAME.replaceAll("\\", "\\\\")}')`,
        message: "must be an IP address or a DNS name",
      },
    ],
  });

export const ipAddress = z
  .string()
  .min(1, { abort: true })
  .max(45, { abort: true })
  .refine(isIpAddress, { params: { kind: "ip" } })
  .meta({ cel: [{ rule: "isIP(self)", message: "must be an IP address" }] });

/** A network in CIDR form, without host bits. */
export const cidr = z
  .string()
  .min(1, { abort: true })
  .max(49, { abort: true })
  .refine(isCidr, { params: { kind: "cidr" } })
  .meta({
    cel: [
      {
        rule: "isCIDR(self) && cidr(self) == cidr(self).masked()",
        message: "must be a network such as 10.244.0.0/16, without host bits",
      },
    ],
  });

export const port = integer(1, 65535);

/** One number and one unit: `30s`, `5m`, `12h`, `7d`. */
export const duration = text(7, /^[1-9][0-9]{0,5}[smhd]$/);

const UNIT_MILLISECONDS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export function durationMilliseconds(value: string): number {
  const unit = value.at(-1) as keyof typeof UNIT_MILLISECONDS;
  return Number(value.slice(0, -1)) * UNIT_MILLISECONDS[unit];
}

/** Five fields, as cron reads them; names of months and days are not accepted. */
export const cron = text(
  100,
  /^([0-9*]+([-/,][0-9*]+)*) ([0-9*]+([-/,][0-9*]+)*) ([0-9*]+([-/,][0-9*]+)*) ([0-9*]+([-/,][0-9*]+)*) ([0-9*]+([-/,][0-9*]+)*)$/,
);

/** Absolute, and without a character that a mount option or a shell could read as something else. */
export const absolutePath = text(512, /^[/][A-Za-z0-9._@+=,/-]*$/).refine((value) => !value.split("/").includes(".."), {
  params: { kind: "path" },
});

/** http or https, without a user or a password in it. */
export const url = text(1024, /^https?:[/][/][A-Za-z0-9.:[\]-]+([/?][A-Za-z0-9._~:/?=&%+,@!$'()*;-]*)?$/);

export const imageReference = text(512, /^[a-z0-9][A-Za-z0-9._:/-]*(@sha256:[a-f0-9]{64})?$/);

/** One line of printable text. */
export const line = (maximum: number) => text(maximum, new RegExp(`^${PRINTABLE}+$`));

export const lineOrNothing = (maximum: number) =>
  z
    .string()
    .max(maximum, { abort: true })
    .regex(new RegExp(`^${PRINTABLE}*$`));

/** Text of several lines: tabs and line ends, but no other control character. */
export const block = (maximum: number) => text(maximum, new RegExp(`^${TEXT}+$`));

export const labelValue = z
  .string()
  .max(63, { abort: true })
  .regex(/^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/);

const LABEL_KEY = `^(${LABEL}(\\.${LABEL})*/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`;
export const labelKey = text(317, new RegExp(LABEL_KEY.replace("/", "[/]")));

const KEY_RULE = {
  rule: `self.all(key, key.size() <= 317 && key.matches('${LABEL_KEY.replaceAll("\\", "\\\\")}'))`,
  message: "keys must be label keys such as team or example.com/team",
};

/** A map whose keys and values are Kubernetes labels. */
export const labels = z
  .record(labelKey, labelValue)
  .refine((map) => Object.keys(map).length <= 64, { params: { kind: "too-many", maximum: 64 } })
  .meta({ maxProperties: 64, cel: [KEY_RULE] });

export const taint = z.strictObject({
  key: describe(labelKey, "Key of the taint."),
  value: describe(labelValue, "Value of the taint.").optional(),
  effect: describe(
    z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]),
    "What happens to pods that do not tolerate it.",
  ),
});

/** Names a secret kept by Drover. The secret itself never stands in a document. */
export const secretReference = z.strictObject({
  name: describe(dnsSubdomain, "Name of the secret in Drover's secret store."),
  key: describe(text(253, /^[-._a-zA-Z0-9]+$/), "Entry within the secret, where it has several.").optional(),
});
export type SecretReference = z.output<typeof secretReference>;

export const registryMirror = z.strictObject({
  host: describe(
    text(255, /^([a-z0-9][a-z0-9.-]*(:[0-9]{1,5})?|[*])$/),
    "Registry to be mirrored, such as docker.io; * for all.",
  ),
  endpoints: describe(z.array(url).min(1).max(8), "Where to pull from instead, first one first."),
  credential: describe(secretReference, "User name and password of the mirror.").optional(),
  insecure: describe(z.boolean(), "Accept a certificate that cannot be verified.").optional(),
});
