import { expect, test } from "vitest";
import { resolveClientAddress } from "#server/foundation/web/request-facts.ts";

test.each([
  ["no proxy: ignores the client's header", "10.0.0.1", "1.2.3.4", 0, "10.0.0.1"],
  ["one proxy: the right-most", "10.0.0.1", "6.6.6.6, 1.2.3.4", 1, "1.2.3.4"],
  ["two proxies: the second from the right", "10.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.2", 2, "1.2.3.4"],
  ["a chain shorter than the proxies", "10.0.0.1", "1.2.3.4", 2, "10.0.0.1"],
  ["no chain", "10.0.0.1", undefined, 1, "10.0.0.1"],
  ["no address in the chain", "10.0.0.1", "unknown", 1, "10.0.0.1"],
  ["an address with its port", "10.0.0.1", "9.9.9.9:443", 1, "9.9.9.9"],
  ["IPv6 with its port", "10.0.0.1", "[2001:db8::1]:443", 1, "2001:db8::1"],
  ["IPv6 in brackets", "10.0.0.1", "[2001:db8::1]", 1, "2001:db8::1"],
  ["a port without an address", "10.0.0.1", ":443", 1, "10.0.0.1"],
  ["IPv6", "10.0.0.1", "2001:db8::1", 1, "2001:db8::1"],
  ["IPv4 on an IPv6 socket", "::ffff:10.0.0.1", undefined, 0, "10.0.0.1"],
  ["a closed socket", undefined, undefined, 0, ""],
])("resolves the client address with %s", (_case, socket, chain, proxies, address) => {
  expect(resolveClientAddress(socket, chain, proxies)).toBe(address);
});
