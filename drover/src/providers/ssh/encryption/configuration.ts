import { parse, stringify } from "yaml";
import { fieldsAt, isFields, listAt, textAt } from "../../../domain/json-fields.ts";
import { type EncryptionKey, type KeyRing, PLAIN } from "./key-ring.ts";

/** What the API servers are given, as `--encryption-provider-config` wants it. */
export function encryptionConfiguration({ order, keys }: KeyRing): string {
  const providers = order.map((name) => {
    const key = keys.find((one) => one.name === name);
    return key === undefined ? { identity: {} } : { secretbox: { keys: [{ name: key.name, secret: key.secret }] } };
  });
  return stringify({
    ...{ apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration" },
    resources: [{ resources: ["secrets"], providers }],
  });
}

/** What such a file names, in its order; nothing of one that is none. */
export function readConfiguration(text: string): Pick<KeyRing, "order" | "keys"> {
  const [first] = listAt(parse(text), "resources");
  const found = listAt(first, "providers").flatMap((provider): readonly (EncryptionKey | string)[] => {
    if (!isFields(provider)) return [];
    if ("identity" in provider) return [PLAIN];
    return Object.keys(fieldsAt(provider)).flatMap((kind) =>
      listAt(provider, kind, "keys").flatMap((key) => {
        const [name, secret] = [textAt(key, "name"), textAt(key, "secret")];
        return name === null || secret === null ? [] : [{ name, secret }];
      }),
    );
  });
  return {
    order: found.map((one) => (typeof one === "string" ? one : one.name)),
    keys: found.flatMap((one) => (typeof one === "string" ? [] : [one])),
  };
}

/** With what everything in the database begins that a key has written. */
export const writtenWith = (name: string): string => `k8s:enc:secretbox:v1:${name}:`;
