/** Registers the store for the webhooks of each partner account, and has Partner Center send a test webhook. */
import { setTimeout as sleep } from "node:timers/promises";
import * as paths from "#server/foundation/paths.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { PartnerCenter } from "#server/integrations/partner-center.ts";
import type { Context } from "#server/platform/context.ts";
import type { VendorWebhookSetup, VendorWebhookStatus } from "../vendor-webhooks.ts";

/** Events for changes of subscriptions, and for tests. */
const wanted = ["subscription-updated", "test-created"];
const arrived = "completed";
/** Interval at which the delivery of a test is polled, and its time-out. */
const pollMs = 1_000;
const timeoutMs = 30_000;

const addressOf = ({ env }: Context) => new URL(paths.vendorWebhook("microsoft"), env.PUBLIC_URL).href;

export const webhookSetup: VendorWebhookSetup = {
  async register(context) {
    const url = addressOf(context);
    for (const country of context.env.partnerAccounts.keys()) {
      const partnerCenter = context.partnerCenterOf(country);
      const found = await partnerCenter.findNoticeRegistration();
      const events = [...new Set([...(found?.events ?? []), ...wanted])];
      await partnerCenter.registerNotices({ url, events }, found === null);
    }
  },

  async check(context) {
    const standings: VendorWebhookStatus[] = [];
    for (const [country, { tenant }] of context.env.partnerAccounts) {
      const checked = await checkOne(context.partnerCenterOf(country), addressOf(context));
      standings.push({ account: `Partner Center ${country}, ${tenant}`, ...checked });
    }
    return standings;
  },
};

async function checkOne(
  partnerCenter: PartnerCenter,
  url: string,
): Promise<Pick<VendorWebhookStatus, "isRight" | "says">> {
  const found = await partnerCenter.findNoticeRegistration();
  if (found === null) return { isRight: false, says: ["not registered"] };
  const missing = wanted.filter((event) => !found.events.includes(event));
  const says = [`registered for ${found.url}: ${found.events.join(", ")}`];
  if (found.url !== url) says.push(`the store is at ${url}`);
  if (missing.length > 0) says.push(`not registered for ${missing.join(", ")}`);
  if (says.length > 1) return { isRight: false, says };
  const test = await deliverTest(partnerCenter);
  return { isRight: test.isRight, says: [...says, test.says] };
}

async function deliverTest(partnerCenter: PartnerCenter): Promise<{ isRight: boolean; says: string }> {
  const sent = await sendTest(partnerCenter);
  if (sent === null) return { isRight: true, says: "no test sent: Microsoft allows 2 per minute" };
  const until = performance.now() + timeoutMs;
  for (;;) {
    const { status, attempts } = await partnerCenter.getTestNotice(sent);
    if (status.toLowerCase() === arrived) return { isRight: true, says: "a test notice has arrived" };
    if (performance.now() > until) {
      const met = attempts.at(-1) ?? "no attempt yet";
      return { isRight: false, says: `a test notice has not arrived: ${met}` };
    }
    await sleep(pollMs);
  }
}

/** @returns null when too many were sent just now */
async function sendTest(partnerCenter: PartnerCenter): Promise<string | null> {
  try {
    return await partnerCenter.sendTestNotice();
  } catch (error) {
    if (error instanceof ProviderError && error.status === 429) return null;
    throw error;
  }
}
