/** Razorpay's webhooks: signed over the raw body, stored, acknowledged; the work is a job's (docs/providers.md, section 3.2). */
import { receiveWebhook } from "#server/payments/webhook.ts";
import { postOnly, rawAction } from "./shared/route.ts";

export const loader = postOnly;

export const action = rawAction(({ context, raw: request }, body) =>
  receiveWebhook(context, {
    body,
    signature: request.headers.get("x-razorpay-signature"),
    eventId: request.headers.get("x-razorpay-event-id"),
  }),
);
