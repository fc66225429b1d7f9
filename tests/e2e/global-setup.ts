/** Starts the stack once for all browser tests, and fails the run if the servers logged an error that no test expected. */
import { startStack, templateVariable } from "#tests/support/stack.ts";
import { createTemplate } from "#tests/support/template.ts";

export default async function globalSetup(): Promise<() => Promise<void>> {
  const { template, destroy } = await createTemplate();
  // Files that start a separate stack copy the same template.
  process.env[templateVariable] = JSON.stringify(template);
  // The store trusts each test browser's client address, as from a proxy. Nobody kills the worker here, so it needs few
  // heartbeats. Vendors' delays are two hundred times shorter: like the store's retries, and a little more.
  const stack = await startStack({
    template,
    env: { TRUSTED_PROXIES: "1", HEARTBEAT_MS: "5000", SANDBOX_DELAY_SCALE: "0.005" },
  }).catch(async (error: unknown) => {
    await destroy();
    throw error;
  });
  // Test processes start later and inherit these; fixtures.ts reads them.
  process.env.STORE_URL = stack.url;
  process.env.SANDBOX_URL = stack.sandboxUrl;
  process.env.STORE_DATABASE_URL = stack.databaseUrl;
  return async () => {
    const errors = stack.unexpectedErrors();
    await stack.stop();
    await destroy();
    if (errors.length > 0) throw new Error(`The servers logged errors:\n${errors.join("\n")}`);
  };
}
