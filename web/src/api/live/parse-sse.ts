export interface SseBlock {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string | undefined;
}

/** Cuts a stream of server-sent events into blocks, however its bytes arrive. */
export class SseParser {
  #rest = "";

  /** The blocks that are complete with this piece of text. */
  take(text: string): readonly SseBlock[] {
    const blocks = (this.#rest + text).replaceAll("\r\n", "\n").split("\n\n");
    this.#rest = blocks.pop() ?? "";
    return blocks.map(parseBlock);
  }
}

function parseBlock(block: string): SseBlock {
  const found: { id?: string; event?: string; data: string[] } = { data: [] };
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, "");
    const field = line.slice(0, colon);
    if (field === "id") found.id = value;
    else if (field === "event") found.event = value;
    else if (field === "data") found.data.push(value);
  }
  return {
    id: found.id,
    event: found.event ?? "message",
    data: found.data.length === 0 ? undefined : found.data.join("\n"),
  };
}
