/** The web process's one context: opened by entry.server.tsx as the process starts, the same for every request. */
import { type Context, createContext } from "#server/context.ts";
import { readEnv } from "#server/env.ts";

let context: Context | undefined;

export function webContext(): Context {
  context ??= createContext(readEnv(), "web");
  return context;
}
