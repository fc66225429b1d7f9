/** A process context with a separate sandbox, which keeps nothing on disk. */
import {
  createSecrets,
  sandboxEnvironment,
  sandboxIdentityProviders,
  sandboxPartners,
  sandboxRazorpay,
} from "#sandbox/local/environment.ts";
import { type RunningSandbox, startSandbox } from "#sandbox/vendors/start.ts";
import { type Context, createContext } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";
import { unthrottled } from "./unthrottled.ts";

export interface ContextWithSandbox {
  context: Context;
  /** Environment for one more process that uses the same sandbox. */
  environment: Record<string, string>;
  sandbox: RunningSandbox;
  stop(): Promise<void>;
}

/** @param env added to the sandbox's environment */
export async function contextWithSandbox(
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<ContextWithSandbox> {
  const secrets = createSecrets();
  const settingsAt = (sandboxPort: number, smtpPort: number) =>
    sandboxEnvironment({
      port: 3000,
      sandboxPort,
      smtpPort,
      databaseUrl,
      dataDir: "",
      secrets,
    });
  const sandbox = await startSandbox({
    host: "127.0.0.1",
    port: 0,
    smtpPort: 0,
    dataFile: null,
    razorpay: sandboxRazorpay(settingsAt(0, 0)),
    identityProviders: sandboxIdentityProviders(settingsAt(0, 0), "http://localhost:3000"),
    partners: sandboxPartners(settingsAt(0, 0)),
    log: () => undefined,
  });
  const settings = settingsAt(sandbox.port, sandbox.smtpPort);
  const environment = { ...settings, LOG_LEVEL: "silent", ...unthrottled, ...env };
  const context = createContext(readEnv(environment), "test");
  const stop = async () => {
    await context.db.destroy();
    await sandbox.stop();
  };
  return { context, environment, sandbox, stop };
}
