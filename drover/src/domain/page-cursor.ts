import { DroverError } from "@drover/contract";

/** Where a page ended: the sort value and the id of its last row. Opaque to readers. */
export interface PageEnd {
  readonly value: string | number;
  readonly id: string;
}

export function writePageCursor(end: PageEnd): string {
  return Buffer.from(JSON.stringify([end.value, end.id])).toString("base64url");
}

/** What the databases take as a parameter: a forged cursor must not become an error of theirs. */
const isPlain = (value: unknown): boolean =>
  typeof value === "string" ? !/\0|[\ud800-\udfff]/u.test(value) : Number.isSafeInteger(value);

export function readPageCursor(cursor: string, valueType: "string" | "number"): PageEnd {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(parsed) && parsed.length === 2) {
      const [value, id] = parsed as [unknown, unknown];
      if (typeof value === valueType && isPlain(value) && typeof id === "string" && isPlain(id)) {
        return { value: value as PageEnd["value"], id };
      }
    }
  } catch {
    // answered below like any other text that is not ours
  }
  throw new DroverError("page-cursor-invalid", "The page cursor was not made by this Drover.");
}
