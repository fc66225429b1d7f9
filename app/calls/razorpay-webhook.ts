/** Razorpay's webhooks: signed over the raw body, stored, acknowledged; the work is a job's (docs/providers.md, section 3.2). */
import { receiveWebhook } from "#server/payments/webhook.ts";
import { postOnly, rawAction } from "./shared/route.ts";

export const loader = postOnly;

export const action = rawAction(({ context, raw: { headers } }, body) =>
  receiveWebhook(context, "razorpay", { body, headers }),
);
