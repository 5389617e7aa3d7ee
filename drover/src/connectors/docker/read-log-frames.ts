const HEADER_BYTES = 8;

/**
 * The lines of a container's log. Without a terminal the engine packs what was written into frames: which stream, three
 * zeros, the length, the text.
 */
export function readLogLines(body: Buffer, terminal: boolean): readonly string[] {
  const text = (terminal ? body : unpack(body)).toString("utf8");
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function unpack(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  while (at + HEADER_BYTES <= body.length) {
    const end = at + HEADER_BYTES + body.readUInt32BE(at + 4);
    parts.push(body.subarray(at + HEADER_BYTES, end));
    at = end;
  }
  return Buffer.concat(parts);
}
