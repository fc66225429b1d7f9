/**
 * A page that is the same for everyone is kept for a moment after it was made, and given to the next visitors as it is: a rush
 * on the shop then costs what one visitor does. What comes with a cookie or a sign-in is neither kept nor answered from here, so
 * nothing of a person can be. The app says which documents may be kept, by the id of the request they were made for.
 */
import { channel, subscribe } from "node:diagnostics_channel";
import { encode, encodingFor, headersOf } from "./encoding.mjs";

/**
 * @typedef {{ requestId: string, html: Uint8Array<ArrayBuffer>, headers: Record<string, string> }} OfferedDocument
 * @typedef {{ headers: Record<string, string>, bodies: Record<"br" | "gzip" | "identity", Uint8Array>, bytes: number, renewAt: number, goneAt: number }} KeptDocument
 */

const offers = channel("hubs:document-for-everyone");
const standard = { freshMs: 1_000, maxBytes: 8 * 1024 * 1024, now: () => performance.now() };

/** Said by the app, which is bundled apart from this process's own modules. @param {OfferedDocument} document */
export function offerDocument(document) {
  offers.publish(document);
}

/**
 * @param {{ freshMs: number, maxBytes: number, now: () => number }} limits how long a document is good: then one request makes it anew, while others
 *   get the old one for as long again, and never longer; how much is kept in all; and the clock, in milliseconds
 */
export function keepDocuments({ freshMs, maxBytes, now } = standard) {
  /** Oldest first. @type {Map<string, KeptDocument>} */
  const kept = new Map();
  /** Requests under way whose answer may be kept, by their id. @type {Map<string, string>} */
  const awaited = new Map();
  let bytes = 0;

  subscribe(offers.name, (offered) => {
    const { requestId, ...document } = /** @type {OfferedDocument} */ (offered);
    const key = awaited.get(requestId);
    if (key !== undefined) keep(key, document).catch(() => drop(key));
  });

  /** @param {string} key @param {Omit<OfferedDocument, "requestId">} document */
  async function keep(key, { html, headers }) {
    const [br, gz] = await Promise.all([encode(html, "br"), encode(html, "gzip")]);
    drop(key);
    const size = html.length + br.length + gz.length;
    kept.set(key, {
      headers,
      bodies: { br, gzip: gz, identity: html },
      bytes: size,
      renewAt: now() + freshMs,
      goneAt: now() + 2 * freshMs,
    });
    bytes += size;
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) break;
      drop(oldest);
    }
  }

  /** @param {string} key */
  function drop(key) {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  /** @param {string} key @returns {KeptDocument | undefined} nothing when it has to be made */
  function find(key) {
    const found = kept.get(key);
    if (found === undefined) return undefined;
    if (now() > found.goneAt) {
      drop(key);
      return undefined;
    }
    if (now() > found.renewAt) {
      found.renewAt = now() + freshMs;
      return undefined;
    }
    return found;
  }

  /**
   * @param {import("node:http").IncomingMessage} request its id is in `x-request-id`
   * @param {import("node:http").ServerResponse} response
   * @param {() => void} next
   */
  return (request, response, next) => {
    const key = keyOf(request);
    if (key === null) return next();
    const document = find(key);
    if (document === undefined) {
      const requestId = String(request.headers["x-request-id"]);
      awaited.set(requestId, key);
      response.once("close", () => awaited.delete(requestId));
      return next();
    }
    const encoding = encodingFor(request.headers["accept-encoding"] ?? "");
    const body = document.bodies[encoding];
    response.writeHead(200, {
      ...document.headers,
      ...headersOf(encoding),
      "Content-Length": body.length,
    });
    response.end(body);
  };
}

/**
 * All that such a document may depend on, or null for a request that is somebody's own.
 * @param {import("node:http").IncomingMessage} request
 */
function keyOf({ method, url = "", headers }) {
  if (method !== "GET" || headers.cookie !== undefined || headers.authorization !== undefined) return null;
  if (url.length > 500) return null;
  // Remix makes the page's own address of these.
  return JSON.stringify([url, headers.host, headers["x-forwarded-host"], headers["x-forwarded-proto"]]);
}
