/**
 * What may be believed about a request: the client's address.
 * Plain JavaScript, as it is loaded before the server and so before any compiler.
 */
import { isIP } from "node:net";

/**
 * The address of the client, by which tries are counted. A proxy adds the address it was called from at the right end of
 * X-Forwarded-For; what stands further left than our own proxies wrote, the client may have made up.
 * @param {string | undefined} socketAddress who opened the connection
 * @param {string | string[] | undefined} forwardedFor
 * @param {number} trustedProxies how many proxies of ours a request comes through
 * @returns {string}
 */
export function clientAddress(socketAddress, forwardedFor, trustedProxies) {
  const direct = plain(socketAddress ?? "");
  if (trustedProxies === 0 || forwardedFor === undefined) return direct;
  const chain = String(forwardedFor).split(",");
  const claimed = plain((chain[chain.length - trustedProxies] ?? "").trim());
  return isIP(claimed) === 0 ? direct : claimed;
}

/** Without the port that some gateways add; an IPv4 client on an IPv6 socket is the same client. @param {string} address */
function plain(address) {
  return address
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "");
}
