/**
 * Webhooks about links that were paid: verified, stored and acknowledged as those of the checkout (docs/providers.md, section 3.6).
 */
import { receiveWebhook } from "#server/billing/payments/webhook.ts";
import { postOnly, rawAction } from "./shared/route.ts";

export const loader = postOnly;

export const action = rawAction(({ context, raw: { headers } }, body) =>
  receiveWebhook(context, "payment-link", { body, headers }),
);
