/** A process context without the process: a separate database and the sandbox over HTTP, for tests of domain functions. */
import { afterAll } from "vitest";
import { consentInSandbox } from "#sandbox/demo/consent.ts";
import type { RunningSandbox } from "#sandbox/vendors/start.ts";
import { type Context, createContext } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";
import { contextWithSandbox } from "./context-with-sandbox.ts";
import { createTestDatabase } from "./database.ts";
import { type SandboxControls, sandboxControls } from "./sandbox-controls.ts";

export interface World {
  context: Context;
  /** Environment for one more process that uses the same database and sandbox. */
  environment: Record<string, string>;
  sandbox: RunningSandbox;
  controls: SandboxControls;
}

/**
 * Call at the top of a test file: `const { context } = await startWorld();`.
 * @param consent false for a start without any partner's consent
 */
export async function startWorld(env: Record<string, string> = {}, consent = true): Promise<World> {
  const database = await createTestDatabase();
  const { context, environment, sandbox, stop } = await contextWithSandbox(database.url, {
    ...env,
  });
  if (consent) await consentInSandbox(context);
  afterAll(stop);
  return { context, environment, sandbox, controls: sandboxControls(sandbox.url) };
}

/** The context of one more process for a running stack, which logs nothing. */
export function contextForStack(env: Readonly<Record<string, string | undefined>>): Context {
  return createContext(readEnv({ ...env, LOG_LEVEL: "silent" }), "test");
}
