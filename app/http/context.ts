/** The web process's one context, opened at the first request so that importing a module never touches the database. */
import { type Context, createContext } from "#server/context.ts";
import { readEnv } from "#server/env.ts";

let context: Context | undefined;

export function webContext(): Context {
  context ??= createContext(readEnv(), "web");
  return context;
}
