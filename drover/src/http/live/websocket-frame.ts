const FINAL_TEXT = 0x81;
const SHORT = 125;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** A whole text message as RFC 6455 puts it on the wire, unmasked as servers send it. */
export function frameText(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = length <= SHORT ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = FINAL_TEXT;
  if (header === 2) frame[1] = length;
  else if (header === 4) {
    frame[1] = LENGTH_16;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_64;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, header);
  return frame;
}

/** An empty ping: the other side answers it by itself. */
export const PING_FRAME: Buffer = Buffer.from([0x89, 0]);
