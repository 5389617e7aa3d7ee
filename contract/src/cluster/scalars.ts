import { z } from "zod";
import { isCidr, isIpAddress } from "./addresses.ts";
import { describe } from "./field.ts";
import { FORMATS, type FormatId } from "./formats.ts";

/*
 * Every pattern here is read by two engines, JavaScript's and Go's RE2, so none looks ahead or refers back,
 * and none backtracks more than linearly. Length is checked first: an overlong text never meets a pattern.
 */

const LABEL = "[a-z0-9]+(-+[a-z0-9]+)*";
const TEXT = "[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]";
export const PRINTABLE = "[^\\x00-\\x1f\\x7f-\\x9f]";
/** Part of a path: may start with a dot, but is neither `.` nor `..`. */
const SEGMENT = "[.]{0,2}[A-Za-z0-9_@+=,-][A-Za-z0-9._@+=,-]*";
const URL = "https?:[/][/][A-Za-z0-9.:[\\]-]+([/?][A-Za-z0-9._~:/?=&%+,@!$'()*;-]*)?";

const bounded = (maximum: number) => z.string().min(1, { abort: true }).max(maximum, { abort: true });

export function text(maximum: number, pattern: RegExp, format: FormatId): z.ZodString {
  return bounded(maximum).regex(pattern, { error: format });
}

/** As text, but may be empty. */
export function textOrNothing(maximum: number, pattern: RegExp, format: FormatId): z.ZodString {
  return z.string().max(maximum, { abort: true }).regex(pattern, { error: format });
}

export function integer(minimum: number, maximum: number): z.ZodInt {
  return z.int().min(minimum).max(maximum);
}

/** How many members keep etcd: an even number is never better than one fewer. */
export const memberCount = integer(1, 9)
  .refine((value) => value % 2 === 1, { error: "odd" satisfies FormatId })
  .meta({ cel: [{ rule: "self % 2 == 1", message: "must be odd, as etcd needs to outvote a lost member" }] });

/** RFC 1123 label: what Kubernetes, Docker, DNS and git all accept as a name. */
export const dnsLabel = text(63, new RegExp(`^${LABEL}$`), "dns-label");

export const dnsSubdomain = text(253, new RegExp(`^${LABEL}(\\.${LABEL})*$`), "dns-name");

/** A DNS name whose last label starts with a letter, so that no broken IPv4 address passes for one. */
const HOST_NAME = `^(${LABEL}\\.)*[a-z][a-z0-9]*(-+[a-z0-9]+)*$`;
const hostName = new RegExp(HOST_NAME);

/** An IP address or a DNS name. */
export const host = bounded(253)
  .refine((value) => isIpAddress(value) || hostName.test(value), { error: "host" satisfies FormatId })
  .meta({
    cel: [
      {
        rule: `isIP(self) || self.matches(${celString(HOST_NAME)})`,
        message: "must be an IP address or a DNS name in lower case",
      },
    ],
  });

export const ipAddress = bounded(45)
  .refine(isIpAddress, { error: "ip" satisfies FormatId })
  .meta({ cel: [{ rule: "isIP(self)", message: "must be an IP address" }] });

/** A network in CIDR form, without host bits. */
export const cidr = bounded(49)
  .refine(isCidr, { error: "cidr" satisfies FormatId })
  .meta({
    cel: [
      {
        rule: "isCIDR(self) && cidr(self) == cidr(self).masked()",
        message: "must be a network such as 10.244.0.0/16, without host bits",
      },
    ],
  });

export const port = integer(1, 65_535);

/** As in RFC 3339. */
export const timestamp = text(
  35,
  /^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]([.][0-9]{1,9})?(Z|[+-][0-2][0-9]:[0-5][0-9])$/,
  "timestamp",
).meta({ format: "date-time" });

/** One number and one unit: `30s`, `5m`, `12h`, `7d`. */
export const duration = text(7, /^[1-9][0-9]{0,5}[smhd]$/, "duration");

const UNIT_MILLISECONDS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export function durationMilliseconds(value: string): number {
  const unit = value.at(-1) as keyof typeof UNIT_MILLISECONDS;
  return Number(value.slice(0, -1)) * UNIT_MILLISECONDS[unit];
}

/** Minute, hour, day, month, weekday. */
const CRON_NUMBERS = ["[1-5]?[0-9]", "(1?[0-9]|2[0-3])", "([1-9]|[12][0-9]|3[01])", "([1-9]|1[0-2])", "[0-7]"];
const CRON_FIELDS = CRON_NUMBERS.map((number) => `([*]|${number}(-${number})?)([/][1-9][0-9]?)?`);

/** Five fields of numbers, as cron reads them; names of months and days are not accepted. */
export const cron = text(200, new RegExp(`^${CRON_FIELDS.map((field) => `${field}(,${field})*`).join(" ")}$`), "cron");

export const absolutePath = text(512, new RegExp(`^([/]|([/]${SEGMENT})+[/]?)$`), "path");
const RELATIVE_PATH = new RegExp(`^${SEGMENT}([/]${SEGMENT})*$`);
export const relativePath = text(256, RELATIVE_PATH, "relative-path");
export const relativePathKeys: KeyForm = { length: 256, pattern: RELATIVE_PATH, format: "relative-path" };

/** http or https, without a user or a password in it. */
export const url = text(1024, new RegExp(`^${URL}$`), "url");

/** Where a file comes from: an address, or a path among the artifacts. */
export const source = text(1024, new RegExp(`^(${URL}|${SEGMENT}([/]${SEGMENT})*)$`), "source");

export const imageReference = text(512, /^[a-z0-9][A-Za-z0-9._:/-]*(@sha256:[a-f0-9]{64})?$/, "image");

/** One line of printable text. */
export const line = (maximum: number) => text(maximum, new RegExp(`^${PRINTABLE}+$`), "line");
export const lineOrNothing = (maximum: number) => textOrNothing(maximum, new RegExp(`^${PRINTABLE}*$`), "line");

/** Text of several lines: tabs and line ends, but no other control character. */
export const block = (maximum: number) => text(maximum, new RegExp(`^${TEXT}+$`), "text");

export const labelValue = textOrNothing(63, /^([A-Za-z0-9]+([-_.]+[A-Za-z0-9]+)*)?$/, "label-value");

/** A prefix of at most 253 characters and a slash, if any; a name of at most 63. */
const LABEL_KEY = `^(${LABEL}(\\.${LABEL})*[/])?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`;

export const labelKey = text(317, new RegExp(LABEL_KEY), "label-key")
  .refine((key) => key.indexOf("/") <= 253, { error: "label-key" satisfies FormatId })
  .meta({ cel: [{ rule: "self.indexOf('/') <= 253", message: "the prefix of a label key may have 253 characters" }] });

/** A map with bounds on its entries and on the form of its keys. */
export function map<V extends z.ZodType>(keys: KeyForm, value: V, maximum: number): z.ZodRecord<z.ZodString, V> {
  const { length, pattern, format } = keys;
  return z
    .record(text(length, pattern, format), value)
    .refine((entries) => Object.keys(entries).length <= maximum, {
      error: "keys" satisfies FormatId,
      params: { maximum },
    })
    .meta({
      maxProperties: maximum,
      cel: [
        {
          rule: `self.all(key, key.size() <= ${length} && key.matches(${celString(pattern.source)}))`,
          message: `each key must be ${FORMATS[format].expected}`,
        },
      ],
    });
}

export interface KeyForm {
  readonly length: number;
  readonly pattern: RegExp;
  readonly format: FormatId;
}

/** A map whose keys and values are Kubernetes labels. */
export const labels = map({ length: 317, pattern: new RegExp(LABEL_KEY), format: "label-key" }, labelValue, 64);

export const taint = z.strictObject({
  key: describe(labelKey, "Key of the taint."),
  value: describe(labelValue, "Value of the taint.").optional(),
  effect: describe(
    z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]),
    "What happens to pods that do not tolerate it.",
  ),
});

/** Names a secret kept by Drover. The secret itself never stands in a document. */
export const secretReference = z
  .strictObject({
    name: describe(dnsSubdomain, "Name of the secret in Drover's secret store."),
    key: describe(
      text(253, /^[-._a-zA-Z0-9]+$/, "secret-key"),
      "Entry within the secret, where it has several.",
    ).optional(),
  })
  .meta({ form: { widget: "secret" } });
export type SecretReference = z.output<typeof secretReference>;

export const registryMirror = z.strictObject({
  host: describe(
    text(255, /^([a-z0-9][a-z0-9.-]*(:[0-9]{1,5})?|[*])$/, "registry-host"),
    "Registry to be mirrored, such as docker.io; * for all.",
  ),
  endpoints: describe(z.array(url).min(1).max(8), "Where to pull from instead, first one first."),
  credential: describe(secretReference, "User name and password of the mirror.").optional(),
  insecure: describe(z.boolean(), "Accept a certificate that cannot be verified.").optional(),
});

/** A text as CEL reads it between single quotes. */
export function celString(value: string): string {
  return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
