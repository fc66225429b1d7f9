/**
 * Runs the sandbox as a separate process, for `npm start` and the browser tests. Its ports, places and the test keys shared
 * with the store come from the environment.
 */
import { join } from "node:path";
import { z } from "zod";
import { reasonToRefuse } from "#sandbox/vendors/guard.ts";
import { startSandbox } from "#sandbox/vendors/start.ts";
import * as paths from "#server/foundation/paths.ts";
import {
  sandboxDelayScale,
  sandboxIdentityProviders,
  sandboxPartners,
  sandboxRazorpay,
} from "./environment.ts";

const port = z.coerce.number().int().min(0).max(65_535);
const schema = z.object({
  SANDBOX_PORT: port.default(3100),
  SANDBOX_SMTP_PORT: port.optional(),
  SANDBOX_HOST: z.string().default("127.0.0.1"),
  SANDBOX_DELAY_SCALE: z.coerce.number().min(0).max(1).default(sandboxDelayScale),
  SANDBOX_GOOGLE_CALLS_PER_MINUTE: z.coerce.number().int().min(0).default(120),
  /** Tests never restart a sandbox, and writing its whole state to a file at each call costs as much as the calls. */
  SANDBOX_STATE: z.enum(["file", "memory"]).default("file"),
  DATA_DIR: z.string().default(".data"),
  PUBLIC_URL: z.url().default("http://localhost:3000"),
  SANDBOX_AUTHORITY_KEY: z.string().optional(),
  GOOGLE_PUSH_EMAIL: z.string().default(""),
});

async function main(): Promise<void> {
  const reason = reasonToRefuse(process.env);
  if (reason !== undefined) throw new Error(`The sandbox can't run in production: ${reason}.`);
  const env = schema.safeParse(process.env);
  if (!env.success) throw new Error(`The sandbox cannot start:\n${z.prettifyError(env.error)}`);
  const { data } = env;

  const running = await startSandbox({
    host: data.SANDBOX_HOST,
    port: data.SANDBOX_PORT,
    smtpPort: data.SANDBOX_SMTP_PORT ?? (data.SANDBOX_PORT === 0 ? 0 : data.SANDBOX_PORT + 1),
    delayScale: data.SANDBOX_DELAY_SCALE,
    googleCallsPerMinute: data.SANDBOX_GOOGLE_CALLS_PER_MINUTE,
    dataFile: data.SANDBOX_STATE === "file" ? join(data.DATA_DIR, "sandbox.json") : null,
    webhookUrl: new URL(paths.razorpayWebhook(), data.PUBLIC_URL).href,
    linkWebhookUrl: new URL(paths.paymentLinkWebhook(), data.PUBLIC_URL).href,
    transferWebhookUrl: new URL(paths.bankTransferWebhook(), data.PUBLIC_URL).href,
    notices: noticesOf(data),
    razorpay: sandboxRazorpay(process.env),
    identityProviders: sandboxIdentityProviders(process.env, data.PUBLIC_URL),
    partners: sandboxPartners(process.env),
    log: (message, fields) => console.log(JSON.stringify({ from: "sandbox", message, ...fields })),
  });
  console.log(`Sandbox at ${running.url}, inbox at ${running.url}/inbox, SMTP at ${running.smtpUrl}`);

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

function noticesOf({ SANDBOX_AUTHORITY_KEY, GOOGLE_PUSH_EMAIL, PUBLIC_URL }: z.output<typeof schema>) {
  if (SANDBOX_AUTHORITY_KEY === undefined) return undefined;
  return {
    urlOf: (family: string) => new URL(paths.vendorWebhook(family), PUBLIC_URL).href,
    googleEmail: GOOGLE_PUSH_EMAIL,
    authorityKey: SANDBOX_AUTHORITY_KEY,
  };
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

main().catch(fail);
