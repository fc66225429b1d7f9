import { describe, expect, it } from "vitest";
import { networkOf, readNetworks, shortNetwork } from "#server/foundation/security/network.ts";

describe("networkOf", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["64:ff9b::203.0.113.7", "64:ff9b:0:0::/64"],
    ["unknown", "unknown"],
  ])("reduces %s to %s", (address, network) => expect(networkOf(address)).toBe(network));
});

describe("shortNetwork", () => {
  it.each([
    ["203.0.113.7", "203.0.113.x"],
    ["::ffff:203.0.113.7", "203.0.113.x"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:x"],
    ["2001:db8::1", "2001:db8:0:x"],
    ["unknown", "unknown"],
  ])("shortens %s to %s", (address, network) => expect(shortNetwork(address)).toBe(network));
});

describe("readNetworks", () => {
  it.each([
    ["203.0.113.0/24", "203.0.113.200", true],
    ["203.0.113.0/24", "203.0.114.1", false],
    ["203.0.113.7", "203.0.113.7", true],
    ["203.0.113.7", "203.0.113.8", false],
    ["10.0.0.0/8, 2001:db8::/32", "2001:db8:9::1", true],
    ["10.0.0.0/8, 2001:db8::/32", "2001:db9::1", false],
    ["0.0.0.0/0", "198.51.100.1", true],
    ["0.0.0.0/0", "2001:db8::1", false],
    ["203.0.113.0/24", "", false],
    ["203.0.113.0/24", "unknown", false],
  ])("finds in %s the address %s: %s", (text, address, has) =>
    expect(readNetworks(text)?.has(address)).toBe(has),
  );

  it.each([
    "",
    "everywhere",
    "203.0.113.0/33",
    "2001:db8::/129",
    "203.0.113/24",
    "10.0.0.0/8,",
    "10.0.0.0/-1",
  ])("refuses %j", (text) => expect(readNetworks(text)).toBeNull());
});
