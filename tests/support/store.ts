/**
 * The running store that a test file asks over HTTP. Its processes stay for the files that come after in the same Vitest worker,
 * which runs one file at a time; database, sandbox and logs begin anew for each, so that no file sees another's work.
 */
import { afterAll, inject } from "vitest";
import type { Context } from "#server/platform/context.ts";
// For the type of what the global set-up provides.
import type {} from "./database-server.ts";
import { trustHttpBrowser } from "./http-browser.ts";
import { type ProviderStateReader, providerState } from "./provider-state.ts";
import { type SandboxControls, sandboxControls } from "./sandbox-controls.ts";
import { type Stack, startStack } from "./stack.ts";
import { contextForStack } from "./world.ts";

export interface Store {
  stack: Stack;
  /** For looking behind the store: the context of one more process of it. */
  context: Context;
  controls: SandboxControls;
  provider: ProviderStateReader;
}

interface StoreOptions {
  /** True starts a worker too; without one what is queued stays to be counted. */
  worker?: boolean;
  /** Settings that other files do not share: the processes are then this file's own. */
  env?: Record<string, string>;
}

declare global {
  /** Not a variable of this module, which a file that resets the modules would lose. */
  var sharedStack: Stack | undefined;
}

/** For the top of a test file: `const { stack, context } = await startStore();`. */
export async function startStore({ worker = false, env }: StoreOptions = {}): Promise<Store> {
  const stack = env === undefined ? await renewed() : await started(env);
  if (worker) await stack.startWorker();
  const context = contextForStack(stack.env);
  afterAll(async () => {
    await context.db.destroy();
    if (stack !== globalThis.sharedStack) await stack.stop();
    else if (worker) await stack.killWorker();
  });
  return {
    stack,
    context,
    controls: sandboxControls(stack.sandboxUrl),
    provider: providerState(stack.sandboxUrl),
  };
}

/** Its processes end with the Vitest worker that started them, and what they leave behind goes with the template. */
async function renewed(): Promise<Stack> {
  if (globalThis.sharedStack === undefined) globalThis.sharedStack = await started({});
  else await globalThis.sharedStack.renew();
  return globalThis.sharedStack;
}

function started(env: Record<string, string>): Promise<Stack> {
  const template = inject("databaseTemplate");
  return startStack({ template, env: { ...trustHttpBrowser, ...env }, worker: false });
}
