/** Classifies addresses: the network whose attempts are counted together, and URLs that never leave this machine. */
import { BlockList, isIP, isIPv6 } from "node:net";

/**
 * Returns an IPv4 address as it is, and the /64 of an IPv6 address, because one subscriber has all addresses in it and could
 * use a new one for every attempt. Anything else is returned unchanged.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  const bare = address.replace(/%.*$/, "");
  if (!isIPv6(bare)) return address;
  const [head = "", tail] = bare.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  // A dotted IPv4 tail takes two of the eight groups.
  const groups = first.length + last.length + (bare.includes(".") ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - groups;
  const all = [...first, ...Array<string>(zeros).fill("0"), ...last];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/**
 * Returns as much of an address as shows its owner the rough location without identifying anyone: three of four numbers, or three
 * of eight groups. Anything else is returned unchanged.
 */
export function shortNetwork(address: string): string {
  const network = networkOf(address);
  if (isIP(network) === 4) return network.replace(/\d+$/, "x");
  return network.replace(/^((?:[0-9a-f]+:){3}).*::\/64$/, "$1x");
}

/** A list of networks. */
export interface Networks {
  has(address: string): boolean;
}

/** @param text addresses and networks (CIDR), separated by commas @returns null for any other text */
export function readNetworks(text: string): Networks | null {
  const list = new BlockList();
  for (const part of text.split(",").map((each) => each.trim())) {
    const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(part) ?? [];
    const version = isIP(address);
    const bits = prefix === undefined ? version && (version === 4 ? 32 : 128) : Number(prefix);
    if (version === 0 || bits > (version === 4 ? 32 : 128)) return null;
    list.addSubnet(address, bits, familyOf(version));
  }
  return {
    has(address) {
      const version = isIP(address);
      return version !== 0 && list.check(address, familyOf(version));
    },
  };
}

function familyOf(version: number): "ipv4" | "ipv6" {
  return version === 4 ? "ipv4" : "ipv6";
}

/** @param url false for an invalid URL */
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
