import { isDroverError } from "@drover/contract";
import { describe, expect } from "vitest";
import { testAccess } from "../../../test/access.ts";
import { listSqliteDrivers } from "../../../test/sqlite-drivers.ts";
import { postgresSubject, sqliteSubject } from "../../../test/store-world.ts";
import type { Store } from "../../ports/store/index.ts";
import { ada, storeTest } from "../../ports/store/world.conformance.ts";
import type { AccessApp } from "./access-app.ts";
import { signIn } from "./sign-in.ts";

const PASSWORD = "correct horse battery";
const accessOf = (store: Store): AccessApp => ({ ...testAccess(), store });
const from = (address: string) => ({ address, userAgent: "test" });

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return "in";
  } catch (error) {
    return isDroverError(error) ? error.code : String(error);
  }
}

const [driver = "libsql"] = listSqliteDrivers();

for (const subject of [sqliteSubject(driver), postgresSubject]) {
  describe(`two servers on ${subject.name}`, () => {
    const it = storeTest(subject);

    it("let through no more guesses together than one alone, from wherever they come", async ({ world }) => {
      const servers = [accessOf(world.store), accessOf(await world.open())] as const;
      const passwordHash = await servers[0].passwords.hash(PASSWORD);
      for (const name of ["zoe", "bob"]) {
        await world.store.access.createUser(ada, { name, role: "viewer", passwordHash });
      }
      const guess = (index: number) =>
        codeOf(
          signIn(
            servers[index % 2 === 0 ? 0 : 1],
            { name: "zoe", password: `guess ${index}` },
            from(`203.0.113.${index % 200}`),
          ),
        );
      const codes: string[] = [];
      for (let round = 0; round < 20; round++) {
        codes.push(...(await Promise.all(Array.from({ length: 50 }, (_, index) => guess(round * 50 + index)))));
      }
      const compared = codes.filter((code) => code === "login-failed").length;
      expect(new Set(codes)).toEqual(new Set(["login-failed", "rate-limited"]));
      expect(compared).toBeLessThan(15);
      expect(await codeOf(signIn(servers[1], { name: "zoe", password: PASSWORD }, from("192.0.2.1")))).toBe(
        "rate-limited",
      );
      expect(await codeOf(signIn(servers[1], { name: "bob", password: PASSWORD }, from("203.0.113.7")))).toBe("in");
    });
  });
}
