import type { JsonObject } from "../../domain/plan.ts";
import type { K3dSpec } from "./declared.ts";

export interface RegistryCredential {
  readonly username: string;
  readonly password: string;
}

interface RegistryChoices {
  readonly registryImage: string | null;
  readonly registryPort: number | null;
  readonly credentials: ReadonlyMap<string, RegistryCredential>;
}

/** The block `registries` of k3d's configuration; null where the spec wants none. */
export function registriesOf({ registries }: K3dSpec, choices: RegistryChoices): JsonObject | null {
  if (registries === undefined) return null;
  const { create, use = [], mirrors = [] } = registries;
  return {
    ...(create === undefined ? {} : { create: createOf(create.name, choices) }),
    ...(use.length === 0 ? {} : { use }),
    ...(mirrors.length === 0 ? {} : { config: mirrorsOf(mirrors, choices.credentials) }),
  };
}

function createOf(name: string, { registryImage, registryPort }: RegistryChoices): JsonObject {
  return {
    name,
    // As everything else that is published: for this machine only.
    host: "127.0.0.1",
    ...(registryPort === null ? {} : { hostPort: String(registryPort) }),
    ...(registryImage === null ? {} : { image: registryImage }),
  };
}

type Mirrors = NonNullable<NonNullable<K3dSpec["registries"]>["mirrors"]>;

/** The registries.yaml of k3s, as a text within k3d's configuration. */
function mirrorsOf(mirrors: Mirrors, credentials: ReadonlyMap<string, RegistryCredential>): string {
  const configs: Record<string, JsonObject> = {};
  for (const { host, endpoints, insecure } of mirrors) {
    const credential = credentials.get(host);
    const config: JsonObject = {
      ...(credential === undefined ? {} : { auth: { username: credential.username, password: credential.password } }),
      ...(insecure === true ? { tls: { insecure_skip_verify: true } } : {}),
    };
    if (Object.keys(config).length === 0) continue;
    for (const endpoint of endpoints) configs[new URL(endpoint).host] = config;
  }
  const document = {
    mirrors: Object.fromEntries(mirrors.map(({ host, endpoints }) => [host, { endpoint: endpoints }])),
    ...(Object.keys(configs).length === 0 ? {} : { configs }),
  };
  return JSON.stringify(document);
}
