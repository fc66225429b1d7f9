/** Razorpay's signed webhooks. */
import { createHmac } from "node:crypto";
import { WebhookDeliveries } from "../deliveries.ts";
import { type JsonObject, shortId } from "../http-helpers.ts";
import type { RazorpayAccount } from "../options.ts";

export class RazorpayWebhooks extends WebhookDeliveries {
  send(
    account: RazorpayAccount,
    event: string,
    contains: readonly string[],
    payload: JsonObject,
    createdAt: number,
  ): void {
    const { webhookUrl, transferWebhookUrl, linkWebhookUrl } = this.options;
    // Each address is registered for its own events, as at Razorpay.
    const [subject = ""] = event.split(".");
    const own = { virtual_account: transferWebhookUrl, payment_link: linkWebhookUrl };
    const url = subject === "virtual_account" || subject === "payment_link" ? own[subject] : webhookUrl;
    if (url === undefined) return;
    const body = JSON.stringify({
      entity: "event",
      account_id: `acc_Sandbox00000${account.country}`,
      event,
      contains,
      payload,
      created_at: createdAt,
    });
    const eventId = shortId("");
    const headers = {
      "user-agent": "Razorpay-Webhook/v1",
      "x-razorpay-signature": createHmac("sha256", newestSecret(account)).update(body).digest("hex"),
      "x-razorpay-event-id": eventId,
    };
    this.deliver({ url, event, eventId, body, headers });
  }
}

/** The first of the store's secrets: while two are valid, the dashboard already has the new one. */
function newestSecret({ webhookSecret }: RazorpayAccount): string {
  return webhookSecret.split(" ")[0] ?? "";
}
