import { DroverError } from "@drover/contract";

/** Where a page ended: the sort value and the id of its last row. Opaque to readers. */
export interface PageEnd {
  readonly value: string | number;
  readonly id: string;
}

export function writePageCursor(end: PageEnd): string {
  return Buffer.from(JSON.stringify([end.value, end.id])).toString("base64url");
}

export function readPageCursor(cursor: string, valueType: "string" | "number"): PageEnd {
  try {
    const [value, id, ...rest] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown[];
    if (typeof value === valueType && typeof id === "string" && rest.length === 0) {
      return { value: value as PageEnd["value"], id };
    }
  } catch {
    // answered below like any other text that is not ours
  }
  throw new DroverError("page-cursor-invalid", "The page cursor was not made by this Drover.");
}
