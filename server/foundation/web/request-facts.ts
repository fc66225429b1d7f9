/** Trustworthy facts of a request: the client's address. */
import { isIP } from "node:net";

/**
 * Returns the client's address, by which attempts are counted. Each proxy appends the address that called it to X-Forwarded-For.
 * Entries to the left of those from our own proxies may be forged.
 * @param socketAddress the address that opened the connection
 * @param trustedProxies number of our proxies that a request passes through
 */
export function resolveClientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | string[] | undefined,
  trustedProxies: number,
): string {
  const direct = plain(socketAddress ?? "");
  if (trustedProxies === 0 || forwardedFor === undefined) return direct;
  const chain = String(forwardedFor).split(",");
  const claimed = plain((chain[chain.length - trustedProxies] ?? "").trim());
  return isIP(claimed) === 0 ? direct : claimed;
}

/** Removes the port that some gateways add, and maps an IPv4 client on an IPv6 socket to its IPv4 address. */
function plain(address: string): string {
  return address
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "");
}
