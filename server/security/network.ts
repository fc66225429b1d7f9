/** What an address says of its network: whose tries are counted together, and what never leaves this machine. */
import { isIPv6 } from "node:net";

/**
 * An IPv4 address as it is; of an IPv6 address its /64, since one subscriber holds all addresses of it and could use a
 * fresh one for every attempt. Anything else comes back unchanged.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  const bare = address.replace(/%.*$/, "");
  if (!isIPv6(bare)) return address;
  const [head = "", tail] = bare.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  // A dotted tail fills two of the eight groups.
  const groups = first.length + last.length + (bare.includes(".") ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - groups;
  const all = [...first, ...Array<string>(zeros).fill("0"), ...last];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/** @param url false for what is no URL */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}
