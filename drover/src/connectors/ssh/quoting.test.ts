import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openPool, openServer, SERVERS } from "../../../test/ssh/servers.ts";
import type { Connector } from "../../ports/connector.ts";
import { LocalConnector } from "../local/local-connector.ts";
import { SSH_SEARCH_PATH } from "./ssh-pool.ts";

const METACHARACTERS = " \t\n\r'\"\\$`!*?[]{}()<>|&;#~=%^-/";
const texts = fc
  .oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...METACHARACTERS.split(""), "a", "ä", "🐏"), maxLength: 12 }),
  )
  .map((text) => text.replaceAll("\0", ""));

const COUNT = 100_000;
const AT_ONCE = 1_000;

/** How many of very many random texts come back as something else. */
async function countDamaged(connector: Connector): Promise<number> {
  let damaged = 0;
  for (let at = 0; at < COUNT; at += AT_ONCE) {
    const words = fc.sample(texts, AT_ONCE);
    const { stdout } = await connector.run({ argv: ["printf", "%s\\0", ...words] }, { keepBytes: 1024 ** 2 });
    const back = stdout.split("\0");
    damaged += words.filter((word, index) => back[index] !== word).length + (back.length - 1 - words.length);
  }
  return damaged;
}

describe("a hundred thousand random texts arrive literally", () => {
  it("on this machine", async () => {
    expect(await countDamaged(new LocalConnector({ environment: { PATH: SSH_SEARCH_PATH } }))).toBe(0);
  }, 120_000);

  it.each(SERVERS)(
    "by SSH (%s)",
    async (_, start) => {
      const { target } = await openServer(start);
      expect(await countDamaged(openPool().connect(target))).toBe(0);
    },
    120_000,
  );
});
