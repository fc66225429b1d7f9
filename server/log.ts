/** The log: one JSON line an event, on standard output. Callers log ids and names, never secrets, tokens or bodies. */
import pino, { type Logger } from "pino";

export type Log = Logger;

export function createLog(level: string, name: string): Log {
  return pino({
    level,
    name,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    // A second line of defence for objects logged whole by a library.
    redact: {
      paths: [
        "password",
        "token",
        "authorization",
        "cookie",
        "*.password",
        "*.token",
        "*.authorization",
        "*.cookie",
      ],
      censor: "[removed]",
    },
  });
}
