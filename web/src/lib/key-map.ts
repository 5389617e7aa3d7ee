/** Single keys that can be put elsewhere. Two keys in a row and those with Ctrl stay where they are. */
export const MOVABLE_KEYS = ["?", "c", "/", "j", "k", "x", "d", "l", "e", "[", "]"] as const;
export type MovableKey = (typeof MOVABLE_KEYS)[number];

/** Which key somebody presses for what, where it is not the one that it was made with. */
export type KeyMap = Readonly<Partial<Record<MovableKey, string>>>;

export const keyFor = (map: KeyMap, key: MovableKey): string => map[key] ?? key;

/** What a pressed key means: nothing, when it was put elsewhere and nothing came to its place. */
export function meaningOf(map: KeyMap, pressed: string): string | undefined {
  const meant = MOVABLE_KEYS.find((key) => keyFor(map, key) === pressed);
  if (meant !== undefined) return meant;
  return MOVABLE_KEYS.some((key) => key === pressed) ? undefined : pressed;
}

/** Puts a key elsewhere; undefined when that place is taken, or is no single character. */
export function moveKey(map: KeyMap, key: MovableKey, chosen: string): KeyMap | undefined {
  if (chosen.length !== 1 || chosen.trim() === "" || chosen === "g") return undefined;
  if (MOVABLE_KEYS.some((other) => other !== key && keyFor(map, other) === chosen)) return undefined;
  const { [key]: _, ...others } = map;
  return chosen === key ? others : { ...others, [key]: chosen };
}

/** What was kept; whatever of it is not such a map is left out. */
export function readKeyMap(text: string | undefined): KeyMap {
  try {
    const kept = JSON.parse(text ?? "{}") as Readonly<Record<string, unknown>> | null;
    return MOVABLE_KEYS.reduce<KeyMap>((map, key) => {
      const chosen = kept?.[key];
      return typeof chosen === "string" ? (moveKey(map, key, chosen) ?? map) : map;
    }, {});
  } catch {
    return {};
  }
}
