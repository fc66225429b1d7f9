/** Gives the partner consents of a running stack, which orders for Microsoft's plans require. */
import { consentInSandbox } from "#sandbox/demo/consent.ts";
import { createContext } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";

export async function consentForStack(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const context = createContext(readEnv({ ...env, LOG_LEVEL: "silent" }), "test");
  try {
    await consentInSandbox(context);
  } finally {
    await context.db.destroy();
  }
}
