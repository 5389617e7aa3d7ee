import { randomBytes } from "node:crypto";
import { sha256 } from "../lib/sha256.ts";
import type { Actor } from "../ports/store/index.ts";
import type { App } from "./app.ts";

const SETTING = "argocd.plugin-token-hash";

/** A new token for the plugin of Argo CD; the one before is no longer good. Only its hash is kept. */
export async function makePluginToken(app: App, actor: Actor): Promise<string> {
  const secret = `drvp_${randomBytes(32).toString("base64url")}`;
  await app.store.settings.putSetting(actor, { key: SETTING, value: sha256(secret) });
  return secret;
}

export async function readPluginTokenHash(app: App): Promise<string | null> {
  const setting = await app.store.settings.getSetting(SETTING);
  return typeof setting?.value === "string" ? setting.value : null;
}
