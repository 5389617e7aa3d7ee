import { expect, it } from "vitest";
import { assertAllowedHost, ForbiddenAddressError, guardedLookup, isForbiddenAddress } from "./guarded-lookup.ts";

it.each(["169.254.169.254", "::ffff:169.254.169.254", "fe80::1", "fd00:ec2::254", "100.100.100.200", "0.0.0.0"])(
  "nothing is fetched from %s",
  (address) => {
    expect(isForbiddenAddress(address)).toBe(true);
    const host = address.includes(":") ? `[${address}]` : address;
    expect(() => assertAllowedHost(new URL(`http://${host}/latest`))).toThrow(ForbiddenAddressError);
  },
);

it.each(["http://2852039166/", "http://0xa9fea9fe/", "http://169.254.43518/"])("however it is written: %s", (url) => {
  expect(() => assertAllowedHost(new URL(url))).toThrow(ForbiddenAddressError);
});

it.each(["10.0.0.1", "127.0.0.1", "fd12::1", "mirror.example.com", "100.100.100.201"])(
  "%s is as good as any",
  (host) => {
    expect(() => assertAllowedHost(new URL(`http://${host.includes(":") ? `[${host}]` : host}/`))).not.toThrow();
  },
);

const resolve = (all: boolean) =>
  new Promise((done) => {
    guardedLookup("localhost", { all }, (error, found) => done(error ?? found));
  });

it("a name is looked up as usual, one address or all of them", async () => {
  expect(["127.0.0.1", "::1"]).toContain(await resolve(false));
  expect(await resolve(true)).toContainEqual(expect.objectContaining({ address: "127.0.0.1" }));
});
