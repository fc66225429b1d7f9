/**
 * How every process writes its log, and what none of them can write: tokens and passwords. Nobody who reads a log gets in by it,
 * whatever a caller or a library hands over.
 */
import pino from "pino";

/** @param name of the process */
export function logOptions(level: string, name: string): pino.LoggerOptions {
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

/** An address is logged as its path alone. */
function withLoggableAddress(facts: Record<string, unknown>): Record<string, unknown> {
  const addresses = ["path", "url"].flatMap((field) => {
    const address = facts[field];
    return typeof address === "string" ? [[field, loggablePath(address)]] : [];
  });
  return addresses.length === 0 ? facts : { ...facts, ...Object.fromEntries(addresses) };
}

/** Pages whose address holds a token; everything behind these words is one. */
const secretPath = /\/(reset-password|reset\/password|set-password|resume|invite|approve)\/.*$/i;

/**
 * @param url as the client sent it
 * @returns the path alone, short, with tokens taken out
 */
export function loggablePath(url: string): string {
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
    .replace(secretPath, (_all, page: string) => `/${page}/[removed]`)
    .slice(0, 300);
}

/**
 * So long a word of these characters, escaped ones among them, is taken for a token: ours have 43, and the parts of a session's
 * that count are longer. Fewer are asked for because a line's own escape, such as the n of \n, is left to stand before the word.
 */
const tokenLike = /(?<!\\)(?<!\\u[0-9a-f]{0,3})(?:[\w-]|%[0-9a-f]{2}){40,}/gi;

/** @returns a line of JSON without what could be a token, in errors and their stacks too */
export function withoutTokens(line: string): string {
  return line.replace(tokenLike, "[removed]");
}
