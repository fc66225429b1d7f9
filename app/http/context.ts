/** The web process's one context: opened by entry.server.tsx as the process starts, the same for every request. */
import { type Context, createContext } from "#server/context.ts";
import { readEnv } from "#server/env.ts";
import { requirePreload } from "#server/web/request-store.ts";

let context: Context | undefined;

/** @throws Error in a process without the preload, or with a setting missing */
export function webContext(): Context {
  if (context === undefined) {
    requirePreload();
    context = createContext(readEnv(), "web", { answersRequests: true });
  }
  return context;
}
