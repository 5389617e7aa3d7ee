import { expect, it } from "vitest";
import { meetHostKey } from "./meet-host-key.ts";

const target = { host: "h", user: "root", credentials: {}, hostKeys: [] };

/** A machine with these keys; asked for another type it shows its first. */
const machine = (keys: Readonly<Record<string, string>>) => {
  const [usual = ""] = Object.keys(keys);
  return {
    fetchHostKey: async (_: unknown, type = usual) => {
      const shown = type in keys ? type : usual;
      return { type: shown, fingerprint: keys[shown] ?? "" };
    },
  };
};

it("takes the first key of a machine of which none is wanted", async () => {
  const met = await meetHostKey(machine({ "ssh-ed25519": "a", "ssh-rsa": "b" }), target, null);
  expect(met).toEqual({ shown: { type: "ssh-ed25519", fingerprint: "a" }, isWanted: true });
});

it("finds the wanted key among several, of whatever type", async () => {
  for (const [wanted, type] of [
    ["a", "ssh-ed25519"],
    ["b", "ssh-rsa"],
  ]) {
    const met = await meetHostKey(machine({ "ssh-ed25519": "a", "ssh-rsa": "b" }), target, wanted ?? "");
    expect(met).toEqual({ shown: { type, fingerprint: wanted }, isWanted: true });
  }
});

it("tells of the first one when none is the wanted", async () => {
  const met = await meetHostKey(machine({ "ssh-rsa": "b" }), target, "c");
  expect(met).toEqual({ shown: { type: "ssh-rsa", fingerprint: "b" }, isWanted: false });
});
