/** The web process's one context: created by entry.server.tsx at startup and shared by all requests. */
import { type Context, createContext } from "#server/context.ts";
import { destinationsOf } from "#server/destinations.ts";
import { readEnv } from "#server/env.ts";
import { limitEgress } from "#server/security/egress.ts";
import { requirePreload } from "#server/web/request-store.ts";

let context: Context | undefined;

/** @throws Error in a process without the preload, or when a setting is missing */
export function webContext(): Context {
  if (context === undefined) {
    requirePreload();
    const env = readEnv();
    limitEgress(destinationsOf(env));
    context = createContext(env, "web", { answersRequests: true });
  }
  return context;
}
