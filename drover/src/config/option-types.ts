import { isIP } from "node:net";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { parseCidr, ROLES, type Role } from "@drover/contract";
import { z } from "zod";

/**
 * The types an option can have. Each takes the text that a flag, a variable or the configuration file holds, and
 * answers the value the program works with. `word` names the type in the documentation.
 */
export interface OptionType<T> {
  readonly word: string;
  readonly schema: z.ZodType<T>;
}

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A length of time as `30s`, `5m`, `12h` or `90d`; in milliseconds. */
export function duration(range: { min: string; max: string }): OptionType<number> {
  const [min, max] = [readDuration(range.min) ?? 0, readDuration(range.max) ?? 0];
  const text = z.string().transform((value, context) => {
    const ms = readDuration(value);
    if (ms !== undefined && ms >= min && ms <= max) return ms;
    const message = `must be a time between ${range.min} and ${range.max}, written like 30s, 5m, 12h or 90d`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
  return { word: "duration", schema: text };
}

function readDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  return count === undefined ? undefined : Number(count) * UNITS[unit as keyof typeof UNITS];
}

/** A file or folder; `~` is the home folder, and a relative one starts where the option was written. */
export const path: OptionType<string> = {
  word: "path",
  schema: z
    .string()
    .min(1, "must not be empty")
    .refine((value) => !value.includes("\0"), "must not contain a NUL character")
    .transform((value) => resolve(value.replace(/^~(?=\/|$)/, homedir()))),
};

/** A file that may be left out. */
export const optionalPath: OptionType<string | null> = {
  word: "path",
  schema: z.string().transform((text) => (text === "" ? null : path.schema.parse(text))),
};

/** Where a server is, as its scheme, host and port; null when left out. */
export const serverAddress: OptionType<string | null> = {
  word: "URL",
  schema: z.string().transform((text, context) => {
    if (text === "") return null;
    if (/^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).username === "") return new URL(text).origin;
    context.addIssue({ code: "custom", message: "must be an address such as https://drover.example.com" });
    return z.NEVER;
  }),
};

/** An OpenID provider; null when left out. Over TLS, except on this very machine. */
export const issuer: OptionType<string | null> = {
  word: "URL",
  schema: z.string().transform((text, context) => {
    if (text === "") return null;
    const isLocal = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?(\/|$)/.test(text);
    if ((isLocal || text.startsWith("https://")) && URL.canParse(text)) return text;
    context.addIssue({ code: "custom", message: "must be an address such as https://id.example.com/realms/main" });
    return z.NEVER;
  }),
};

/** Any text on one line. */
export const line: OptionType<string> = {
  word: "text",
  schema: z.string().regex(/^[^\0\r\n]+$/, "must be one line of text"),
};

/** One word that may be left out. */
export const optionalWord: OptionType<string | null> = {
  word: "text",
  schema: z
    .string()
    .regex(/^[\x21-\x7e]*$/, "must be one word")
    .transform((text) => (text === "" ? null : text)),
};

/** One or several words in plain letters. */
export const words: OptionType<string> = {
  word: "text",
  schema: z.string().regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, "must be one or several words"),
};

/** `role=group` pairs, separated by commas. */
export const roleGroups: OptionType<readonly { readonly role: Role; readonly group: string }[]> = {
  word: "role=group",
  schema: z.string().transform((text, context) => {
    const parts = text.split(",").map((part) => part.trim());
    const pairs = parts.filter((part) => part !== "").map((part) => /^([a-z]+)=(.+)$/.exec(part));
    const found = pairs.map((pair) => ({ role: ROLES.find((role) => role === pair?.[1]), group: pair?.[2] ?? "" }));
    if (found.every((pair): pair is { role: Role; group: string } => pair.role !== undefined)) return found;
    context.addIssue({
      code: "custom",
      message: `must be pairs such as admin=platform-team; roles: ${ROLES.join(", ")}`,
    });
    return z.NEVER;
  }),
};

/** A TCP port; 0 lets the system choose a free one. */
export const port: OptionType<number> = {
  word: "port",
  schema: z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,5}$/)
          .transform(Number),
      ],
      { error: "must be a number from 0 to 65535" },
    )
    .refine((value) => Number.isInteger(value) && value >= 0 && value <= 65_535, "must be a number from 0 to 65535"),
};

/** Ports from one to another, both included. */
export const portRange: OptionType<{ readonly from: number; readonly to: number }> = {
  word: "port-port",
  schema: z.string().transform((text, context) => {
    const [, from = 0, to = 0] = (/^(\d{1,5})-(\d{1,5})$/.exec(text.trim()) ?? []).map(Number);
    if (from >= 1 && from <= to && to <= 65_535) return { from, to };
    context.addIssue({ code: "custom", message: "must be two ports such as 20000-29999, the lower one first" });
    return z.NEVER;
  }),
};

/** A network, and behind a colon the size of those that are cut out of it. */
export const subnetPool: OptionType<{ readonly pool: string; readonly prefix: number }> = {
  word: "network:size",
  schema: z.string().transform((text, context) => {
    const [, pool = "", size = ""] = /^(.+):(\d{1,3})$/.exec(text.trim()) ?? [];
    const prefix = Number(size);
    const network = parseCidr(pool);
    const width = network?.family === 4 ? 32 : 128;
    const fits = prefix >= Number(pool.slice(pool.indexOf("/") + 1)) && prefix <= width;
    if (network !== undefined && fits) return { pool, prefix };
    context.addIssue({ code: "custom", message: "must be a network and a size within it, such as 10.210.0.0/16:24" });
    return z.NEVER;
  }),
};

/** A whole number within bounds. */
export function count(range: { min: number; max: number }): OptionType<number> {
  const error = `must be a whole number from ${range.min} to ${range.max}`;
  const number = z.union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    ],
    { error },
  );
  return {
    word: "count",
    schema: number.refine((value) => Number.isInteger(value) && value >= range.min && value <= range.max, error),
  };
}

const NETWORKS = "must be addresses such as 10.0.0.7 or 10.0.0.0/8, separated by commas";
const HOST = /^(?!-)[A-Za-z0-9.:-]{1,253}$/;

export const host: OptionType<string> = {
  word: "host",
  schema: z.string().regex(HOST, "must be an IP address or a host name"),
};

/** Several host names: a list in the configuration file, separated by commas elsewhere. */
export const hosts: OptionType<readonly string[]> = {
  word: "hosts",
  schema: z
    .union([z.array(z.string()), z.string().transform((text) => text.split(",").map((part) => part.trim()))], {
      error: "must be host names, separated by commas",
    })
    .transform((names) => names.filter((name) => name !== "").map((name) => name.toLowerCase()))
    .refine((names) => names.every((name) => HOST.test(name)), "must be host names, separated by commas"),
};

/** Several addresses or networks, written as `hosts` are. */
export const networks: OptionType<readonly string[]> = {
  word: "addresses",
  schema: z
    .union([z.array(z.string()), z.string().transform((text) => text.split(","))], { error: NETWORKS })
    .transform((parts) => parts.map((part) => part.trim()).filter((part) => part !== ""))
    .refine((parts) => parts.every(isNetwork), NETWORKS),
};

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** A name of the program's own, with a number behind a colon where one is meant. */
export const place: OptionType<{ readonly name: string; readonly passage: number } | null> = {
  word: "place",
  schema: z.string().transform((text, context) => {
    const [, name, passage = "1"] = /^([a-z.-]+)(?::([1-9]\d{0,5}))?$/.exec(text) ?? [];
    if (text === "") return null;
    if (name !== undefined) return { name, passage: Number(passage) };
    context.addIssue({ code: "custom", message: "must be a name, or a name and a number as name:2" });
    return z.NEVER;
  }),
};

export function oneOf<const T extends readonly [string, ...string[]]>(...values: T): OptionType<T[number]> {
  return { word: values.join(" \\| "), schema: z.enum(values, { error: `must be one of: ${values.join(", ")}` }) };
}

const POSTGRES = /^postgres(ql)?:\/\//;

export type StoreAddress =
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string };

/** Where the store is: a file, or a PostgreSQL server. */
export const storeAddress: OptionType<StoreAddress> = {
  word: "path or URL",
  schema: z.string().transform((text, context): StoreAddress => {
    if (POSTGRES.test(text) && URL.canParse(text)) return { kind: "postgres", url: text };
    if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return { kind: "sqlite", file: path.schema.parse(text) };
    context.addIssue({ code: "custom", message: "must be a path, or postgres://user@host:5432/database" });
    return z.NEVER;
  }),
};
