import { expect, test } from "vitest";
import { clientAddress, loggablePath } from "../../../server/web/request-facts.ts";

test.each([
  ["/", "/"],
  ["/search?q=word&jwt-token=abc", "/search"],
  ["/reset-password/SECRET", "/reset-password/[removed]"],
  ["/reset/password/SECRET/more?x=1", "/reset/password/[removed]"],
  ["/set-password/SECRET.data?_routes=x", "/set-password/[removed]"],
  ["/invite/SECRET", "/invite/[removed]"],
  ["/resume/SECRET", "/resume/[removed]"],
  ["/approve/SECRET?sign=in", "/approve/[removed]"],
  ["/RESUME/SECRET", "/RESUME/[removed]"],
  ["//resume//SECRET", "/resume/[removed]"],
  ["/res%75me/SECRET", "/resume/[removed]"],
  ["/resume%2FSECRET", "/resume/[removed]"],
  ["/order/resume/SECRET", "/order/resume/[removed]"],
  ["/search%3Fjwt-token=SECRET", "/search"],
  ["/%E0%A4%A", "[unreadable]"],
  ["/reset-password", "/reset-password"],
])("the log says %s as %s", (url, path) => {
  expect(loggablePath(url)).toBe(path);
});

test.each([
  ["no proxy: what the client claims is nothing", "10.0.0.1", "1.2.3.4", 0, "10.0.0.1"],
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
])("address, %s", (_case, socket, chain, proxies, address) => {
  expect(clientAddress(socket, chain, proxies)).toBe(address);
});
