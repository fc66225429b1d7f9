/** A process's context without the process: a database of its own and the sandbox over HTTP, for tests of domain functions. */
import { afterAll } from "vitest";
import { createSecrets, sandboxEnvironment } from "#server/commands/sandbox-environment.ts";
import { type Context, createContext } from "#server/context.ts";
import { readEnv } from "#server/env.ts";
import { type RunningSandbox, startSandbox } from "#server/sandbox/start.ts";
import { createTestDatabase } from "./database.ts";
import { type Levers, leversOf } from "./levers.ts";

export interface World {
  context: Context;
  /** What one more process beside it is started with. */
  environment: Record<string, string>;
  sandbox: RunningSandbox;
  levers: Levers;
}

/** For the top of a test file: `const { context } = await startWorld();`. */
export async function startWorld(env: Record<string, string> = {}): Promise<World> {
  const database = await createTestDatabase();
  const secrets = createSecrets();
  const sandbox = await startSandbox({
    host: "127.0.0.1",
    port: 0,
    smtpPort: 0,
    dataFile: null,
    razorpay: {
      keyId: "rzp_test_sandbox",
      keySecret: secrets.RAZORPAY_KEY_SECRET,
      webhookSecret: secrets.RAZORPAY_WEBHOOK_SECRET,
    },
    outlook: {
      clientId: "sandbox-outlook-client",
      clientSecret: secrets.OUTLOOK_CLIENT_SECRET,
      redirectUris: [
        "http://localhost:3000/azure/ad/callback",
        "http://localhost:3000/azure/ad/administrator",
      ],
    },
    log: () => undefined,
  });
  const settings = sandboxEnvironment({
    port: 3000,
    sandboxPort: sandbox.port,
    smtpPort: sandbox.smtpPort,
    databaseUrl: database.url,
    dataDir: "",
    secrets,
  });
  const environment = { ...settings, LOG_LEVEL: "silent", ...env };
  const context = createContext(readEnv(environment), "test");
  afterAll(async () => {
    await context.db.destroy();
    await sandbox.stop();
  });
  return { context, environment, sandbox, levers: leversOf(sandbox.url) };
}

/** The context of one more process beside a running stack, which logs nothing. */
export function contextBeside(env: Readonly<Record<string, string | undefined>>): Context {
  return createContext(readEnv({ ...env, LOG_LEVEL: "silent" }), "test");
}
