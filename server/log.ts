/** The log: one JSON line an event, on standard output. Callers log ids and names, never secrets, tokens or bodies. */
import pino, { type Logger } from "pino";
import { logDestination } from "./log-destination.ts";
import { logOptions } from "./log-options.ts";

export type Log = Logger;

/** @param name of the process, as its lines say */
export function createLog(level: string, name: string): Log {
  return pino(logOptions(level, name), logDestination);
}
