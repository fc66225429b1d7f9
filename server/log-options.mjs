/**
 * How every process writes its log, and what none of them can write: tokens and passwords. Nobody who reads a log gets in by it,
 * whatever a caller or a library hands over. Plain JavaScript, as the web process needs it before there is a compiler.
 */
import pino from "pino";

/** @param {string} level @param {string} name of the process @returns {pino.LoggerOptions} */
export function logOptions(level, name) {
  return {
    level,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: withLoggableAddress },
    redact: {
      paths: ["password", "token", "authorization", "cookie"].flatMap((field) => [field, `*.${field}`]),
      censor: "[removed]",
    },
    hooks: { streamWrite: withoutTokens },
  };
}

/** An address is logged as its path alone. @param {Record<string, unknown>} facts */
function withLoggableAddress(facts) {
  const addresses = ["path", "url"].flatMap((field) => {
    const address = facts[field];
    return typeof address === "string" ? [[field, loggablePath(address)]] : [];
  });
  return addresses.length === 0 ? facts : { ...facts, ...Object.fromEntries(addresses) };
}

/** Pages whose address holds a token; everything behind these words is one. */
const secretPath = /\/(reset-password|reset\/password|set-password|resume|invite|approve)\/.*$/i;

/**
 * @param {string} url as the client sent it
 * @returns {string} the path alone, short, with tokens taken out
 */
export function loggablePath(url) {
  const [path = ""] = url.split(/[?#]/, 1);
  let readable = path;
  try {
    // A token behind an escaped letter or slash is a token still.
    readable = decodeURIComponent(path);
  } catch {
    return "[unreadable]";
  }
  const [beforeQuery = ""] = readable.split(/[?#]/, 1);
  return beforeQuery
    .replace(/\/{2,}/g, "/")
    .replace(secretPath, (_all, page) => `/${page}/[removed]`)
    .slice(0, 300);
}

/**
 * So long a word of these characters, escaped ones among them, is taken for a token: ours have 43, and the parts of a session's
 * that count are longer. Fewer are asked for because a line's own escape, such as the n of \n, is left to stand before the word.
 */
const tokenLike = /(?<!\\)(?<!\\u[0-9a-f]{0,3})(?:[\w-]|%[0-9a-f]{2}){40,}/gi;

/** @param {string} line of JSON @returns {string} the same without what could be a token, in errors and their stacks too */
export function withoutTokens(line) {
  return line.replace(tokenLike, "[removed]");
}
