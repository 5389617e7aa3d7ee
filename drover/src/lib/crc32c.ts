const POLYNOMIAL = 0x82f63b78;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = (rest & 1) === 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** The checksum of Castagnoli, piece by piece. */
export class Crc32c {
  #state = 0xffffffff;

  add(bytes: Uint8Array): void {
    let state = this.#state;
    for (let at = 0; at < bytes.length; at += 1) {
      state = ((TABLE[(state ^ (bytes[at] as number)) & 0xff] as number) ^ (state >>> 8)) >>> 0;
    }
    this.#state = state;
  }

  get value(): number {
    return (this.#state ^ 0xffffffff) >>> 0;
  }
}
