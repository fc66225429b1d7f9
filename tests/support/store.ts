/**
 * The running store for a test file, used over HTTP. Its processes are reused by later files in the same Vitest worker, which
 * runs one file at a time; database, sandbox and logs are fresh for each, so that no file sees another's data.
 */
import { afterAll, inject } from "vitest";
import type { Context } from "#server/platform/context.ts";
// For the type of the value from the global set-up.
import type {} from "./database-server.ts";
import { trustHttpBrowser } from "./http-browser.ts";
import { type ProviderStateReader, providerState } from "./provider-state.ts";
import { type SandboxControls, sandboxControls } from "./sandbox-controls.ts";
import { type Stack, startStack } from "./stack.ts";
import { contextForStack } from "./world.ts";

export interface Store {
  stack: Stack;
  /** Access behind the store: the context of one more process. */
  context: Context;
  controls: SandboxControls;
  provider: ProviderStateReader;
}

interface StoreOptions {
  /** True starts a worker too; without one, queued jobs stay countable. */
  worker?: boolean;
  /** Settings that other files do not share: the file then gets separate processes. */
  env?: Record<string, string>;
}

declare global {
  /** Global, because a file that resets the modules would lose a module's variable. */
  var sharedStack: Stack | undefined;
}

/** Call at the top of a test file: `const { stack, context } = await startStore();`. */
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

/**
 * The shared stack, renewed. Its processes end with the Vitest worker that started them, and their files are removed with the
 * template.
 */
async function renewed(): Promise<Stack> {
  if (globalThis.sharedStack === undefined) globalThis.sharedStack = await started({});
  else await globalThis.sharedStack.renew();
  return globalThis.sharedStack;
}

function started(env: Record<string, string>): Promise<Stack> {
  const template = inject("databaseTemplate");
  return startStack({ template, env: { ...trustHttpBrowser, ...env }, worker: false });
}
