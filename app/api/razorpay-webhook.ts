/**
 * Razorpay's webhooks: verified against the raw body, stored and acknowledged. A job does the work (docs/providers.md,
 * section 3.2).
 */
import { receiveWebhook } from "#server/billing/payments/webhook.ts";
import { postOnly, rawAction } from "./shared/route.ts";

export const loader = postOnly;

export const action = rawAction(({ context, raw: { headers } }, body) =>
  receiveWebhook(context, "razorpay", { body, headers }),
);
