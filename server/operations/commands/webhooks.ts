/**
 * `npm run webhooks`: the vendors' webhooks for changes of subscriptions.
 *   -- check       reports the state of each account, and has Microsoft send a test; the exit code is 1 when something is wrong
 *   -- register    registers the store at each account, and checks
 */
import { families } from "#server/catalogue/families/registry.ts";
import type { VendorWebhookSetup } from "#server/catalogue/families/vendor-webhooks.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { commandContext } from "./operator.ts";

const context = commandContext("webhooks");
try {
  const [act, ...more] = process.argv.slice(2);
  if (more.length > 0 || (act !== "check" && act !== "register"))
    throw new Error("npm run webhooks -- check or register");
  for (const { label, vendor } of Object.values(families))
    if (vendor !== null && !(await isRight(label, vendor.webhookSetup, act))) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await context.db.destroy();
}

/** Reports a vendor's problem and continues with the others. */
async function isRight(
  label: string,
  notices: VendorWebhookSetup,
  act: "check" | "register",
): Promise<boolean> {
  try {
    if (act === "register") await notices.register(context);
    const standings = await notices.check(context);
    for (const { account, isRight, says } of standings)
      console.log([`${account}: ${isRight ? "right" : "not right"}`, ...says].join("\n    "));
    return standings.every(({ isRight }) => isRight);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    console.error([label, error.message, error.description].filter(Boolean).join(": "));
    return false;
  }
}
