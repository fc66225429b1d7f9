/** The log: one JSON line per event on standard output. Callers log ids and names, never secrets, tokens or bodies. */
import pino, { type Logger } from "pino";
import { logDestination } from "./log-destination.ts";
import { logOptions } from "./log-options.ts";

export type Log = Logger;

/** @param name the process's name in its log lines */
export function createLog(level: string, name: string): Log {
  return pino(logOptions(level, name), logDestination);
}
