/**
 * Log format of every process, with the filter that removes tokens and passwords. A log must not grant access, regardless of the
 * caller's or a library's input.
 */
import pino from "pino";

/** @param name the process's name */
export function logOptions(level: string, name: string): pino.LoggerOptions {
  return {
    level,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: withLoggableAddress },
    serializers: { err: loggableError },
    redact: {
      paths: ["password", "token", "authorization", "cookie"].flatMap((field) => [field, `*.${field}`]),
      censor: "[removed]",
    },
    hooks: { streamWrite: redactTokens },
  };
}

/** Logs only the path of an address. */
function withLoggableAddress(facts: Record<string, unknown>): Record<string, unknown> {
  const addresses = ["path", "url"].flatMap((field) => {
    const address = facts[field];
    return typeof address === "string" ? [[field, loggablePath(address)]] : [];
  });
  return addresses.length === 0 ? facts : { ...facts, ...Object.fromEntries(addresses) };
}

/** Fields in which Node's errors quote the address that they concern. */
const quoting: ReadonlySet<string> = new Set(["input", "base", "url", "path"]);
const longestText = 4_000;

/** Logs an error as pino does, but cuts its texts and reduces addresses to their path. */
function loggableError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const fields = Object.entries(pino.stdSerializers.err(error)).map(([name, value]) => {
    if (typeof value !== "string") return [name, value];
    return [name, (quoting.has(name) ? loggablePath(value) : value).slice(0, longestText)];
  });
  return Object.fromEntries(fields);
}

/** Paths with a token: everything after these segments is removed. */
const secretPath =
  /\/(reset-password|reset\/password|set-password|resume|invite|approve|renewal|requests|unsubscribe|calendar|keep-account|billing)\/.*$/i;

/**
 * @param url as the client sent it
 * @returns only the path, shortened, with tokens removed
 */
export function loggablePath(url: string): string {
  const [path = ""] = url.split(/[?#]/, 1);
  let readable = path;
  try {
    // Decoded first, because percent-encoding may hide a token.
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
 * A run of this many token characters, percent-encoded ones included, counts as a token: ours have 43, and the relevant parts
 * of a session token are longer. The threshold is lower because an escape of the line directly before it, such as the n of
 * \n, is excluded from the match.
 */
const tokenLike = /(?<!\\)(?<!\\u[0-9a-f]{0,3})(?:[\w-]|%[0-9a-f]{2}){40,}/gi;

/** @returns a JSON line without anything that could be a token, including in errors and their stacks */
export function redactTokens(line: string): string {
  return line.replace(tokenLike, "[removed]");
}
