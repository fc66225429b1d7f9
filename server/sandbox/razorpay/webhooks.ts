/** Razorpay's signed webhooks. */
import { createHmac } from "node:crypto";
import { Deliveries } from "../deliveries.ts";
import { type JsonObject, shortId } from "../wire.ts";
import type { RazorpayAccount } from "./accounts.ts";

export class RazorpayWebhooks extends Deliveries {
  send(
    account: RazorpayAccount,
    event: string,
    contains: readonly string[],
    payload: JsonObject,
    createdAt: number,
  ): void {
    const { webhookUrl } = this.options;
    if (webhookUrl === undefined) return;
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
      "x-razorpay-signature": createHmac("sha256", account.webhookSecret).update(body).digest("hex"),
      "x-razorpay-event-id": eventId,
    };
    this.deliver({ url: webhookUrl, event, eventId, body, headers });
  }
}
