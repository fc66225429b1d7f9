/** The web process's one context: created by entry.server.tsx at startup and shared by all requests. */
import { type Context, createContext } from "#server/context.ts";
import { readEnv } from "#server/env.ts";
import { requirePreload } from "#server/web/request-store.ts";

let context: Context | undefined;

/** @throws Error in a process without the preload, or when a setting is missing */
export function webContext(): Context {
  if (context === undefined) {
    requirePreload();
    context = createContext(readEnv(), "web", { answersRequests: true });
  }
  return context;
}
