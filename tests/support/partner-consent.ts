/** The partners of a running stack consent, so that orders for Microsoft's plans can be carried out in it. */
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
