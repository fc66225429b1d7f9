/** What may be believed about a request: the client's address. */
import { isIP } from "node:net";

/**
 * The address of the client, by which tries are counted. A proxy adds the address it was called from at the right end of
 * X-Forwarded-For; what stands further left than our own proxies wrote, the client may have made up.
 * @param socketAddress who opened the connection
 * @param trustedProxies how many proxies of ours a request comes through
 */
export function clientAddress(
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

/** Without the port that some gateways add; an IPv4 client on an IPv6 socket is the same client. */
function plain(address: string): string {
  return address
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "");
}
