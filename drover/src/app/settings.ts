import { DroverError } from "@drover/contract";
import { z } from "zod";
import type { Actor, Json } from "../ports/store/index.ts";
import type { App } from "./app.ts";

export interface KnownSetting {
  readonly key: string;
  readonly value: Json;
  /** 0 while nobody has set it. */
  readonly version: number;
  readonly description: string;
}

interface SettingKind {
  readonly schema: z.ZodType<Json>;
  readonly default: Json;
  readonly description: string;
}

/** What administrators change while Drover runs; everything else is an option, set at the start. */
const SETTINGS: Readonly<Record<string, SettingKind>> = {
  "notice.text": {
    schema: z.string().max(1024),
    default: "",
    description: "A line that everybody sees on top of the page: planned maintenance, whom to ask.",
  },
  "notice.level": {
    schema: z.enum(["info", "warning"]),
    default: "info",
    description: "How loudly the notice is shown.",
  },
  "changes.reasonRequired": {
    schema: z.boolean(),
    default: false,
    description: "Whether declaring, editing and deleting a cluster needs a reason.",
  },
};

export async function listSettings(app: App): Promise<readonly KnownSetting[]> {
  return await Promise.all(Object.keys(SETTINGS).map((key) => readSetting(app, key)));
}

export async function readSetting(app: App, key: string): Promise<KnownSetting> {
  const { default: value, description } = kindOf(key);
  const stored = await app.store.settings.getSetting(key);
  return { key, description, value: stored?.value ?? value, version: stored?.version ?? 0 };
}

/** `expectedVersion` null stands for whatever is there. */
export async function changeSetting(
  app: App,
  actor: Actor,
  change: { readonly key: string; readonly value: unknown; readonly expectedVersion: number | null },
): Promise<KnownSetting> {
  const { key, value, expectedVersion } = change;
  const { schema, description } = kindOf(key);
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    throw new DroverError("validation-failed", `The setting "${key}" does not take this value. ${description}`);
  }
  const stored = await app.store.settings.putSetting(actor, {
    ...{ key, value: parsed.data },
    ...(expectedVersion === null ? {} : { expectedVersion }),
  });
  return { key, description, value: stored.value, version: stored.version };
}

/** Refuses a change without a reason where administrators want one. */
export async function assertReason(app: App, reason: string | undefined): Promise<void> {
  if (reason !== undefined && reason.trim() !== "") return;
  const { value } = await readSetting(app, "changes.reasonRequired");
  if (value === true) throw new DroverError("reason-required", "Every change needs a reason here.");
}

function kindOf(key: string): SettingKind {
  const kind = Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined;
  if (kind !== undefined) return kind;
  throw new DroverError("setting-not-found", `There is no setting "${key}".`);
}
