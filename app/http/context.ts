/** The web process's one context: created by entry.server.tsx at startup and shared by all requests. */

import { limitEgress } from "#server/foundation/security/egress.ts";
import { requirePreload } from "#server/foundation/web/request-store.ts";
import { type Context, createContext } from "#server/platform/context.ts";
import { destinationsOf } from "#server/platform/destinations.ts";
import { readEnv } from "#server/platform/env.ts";

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
