/**
 * Webhooks about money that has reached the account of an order: verified, stored and acknowledged as those of the checkout
 * (docs/providers.md, section 3.5).
 */
import { receiveWebhook } from "#server/billing/payments/webhook.ts";
import { postOnly, rawAction } from "./shared/route.ts";

export const loader = postOnly;

export const action = rawAction(({ context, raw: { headers } }, body) =>
  receiveWebhook(context, "bank-transfer", { body, headers }),
);
