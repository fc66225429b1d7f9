/**
 * Razorpay's signed webhooks. Each event is tried until the store answers 2xx, with back-off and a bounded number of times; the modes
 * let a test see it arrive twice, late or never. Undelivered events are forgotten on a restart: the store's sweeper is for that.
 */
import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { SandboxOptions } from "../options.ts";
import { type JsonObject, shortId } from "../wire.ts";

export const webhookModeSchema = z.object({
  mode: z.enum(["normal", "twice", "late", "never"]),
  /** How late `late` is; 5 seconds when left out. */
  delayMs: z.int().nonnegative().optional(),
});
type WebhookMode = z.infer<typeof webhookModeSchema>;

export interface Delivery {
  readonly eventId: string;
  readonly event: string;
  attempts: number;
  /** The last answer's status; 0 when there was none. */
  status: number | undefined;
  done: boolean;
}

const answerWithinMs = 5000;
const usualRetryDelays = [500, 1000, 2000, 5000, 10_000, 20_000, 40_000];
const deliveriesKept = 200;

export class RazorpayWebhooks {
  readonly deliveries: Delivery[] = [];
  mode: WebhookMode = { mode: "normal" };
  readonly #options: SandboxOptions;
  #stopping = new AbortController();

  constructor(options: SandboxOptions) {
    this.#options = options;
  }

  send(event: string, contains: readonly string[], payload: JsonObject, createdAt: number): void {
    const { webhookUrl } = this.#options;
    if (webhookUrl === undefined || this.mode.mode === "never") return;
    const body = JSON.stringify({
      entity: "event",
      account_id: "acc_Sandbox0000001",
      event,
      contains,
      payload,
      created_at: createdAt,
    });
    const eventId = shortId("");
    const delay = this.mode.mode === "late" ? (this.mode.delayMs ?? 5000) : 0;
    const { signal } = this.#stopping;
    const copies = this.mode.mode === "twice" ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      this.#deliver(webhookUrl, event, eventId, body, delay, signal).catch((error: unknown) => {
        if (!signal.aborted) this.#options.log("webhook delivery broke", { error: String(error) });
      });
    }
  }

  reset(): void {
    this.stop();
    this.#stopping = new AbortController();
    this.deliveries.length = 0;
    this.mode = { mode: "normal" };
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #deliver(
    url: string,
    event: string,
    eventId: string,
    body: string,
    delay: number,
    signal: AbortSignal,
  ): Promise<void> {
    const delivery: Delivery = { eventId, event, attempts: 0, status: undefined, done: false };
    this.deliveries.push(delivery);
    if (this.deliveries.length > deliveriesKept) this.deliveries.shift();

    for (const wait of [delay, ...(this.#options.webhookRetryDelays ?? usualRetryDelays)]) {
      await sleep(wait, undefined, { signal });
      delivery.attempts += 1;
      delivery.status = await this.#post(url, eventId, body, signal);
      if (delivery.status >= 200 && delivery.status < 300) {
        delivery.done = true;
        return;
      }
    }
    this.#options.log("webhook given up", { event, eventId, status: delivery.status });
  }

  async #post(url: string, eventId: string, body: string, signal: AbortSignal): Promise<number> {
    const signature = createHmac("sha256", this.#options.razorpay.webhookSecret).update(body).digest("hex");
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": "Razorpay-Webhook/v1",
          "x-razorpay-signature": signature,
          "x-razorpay-event-id": eventId,
        },
        body,
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return 0;
    }
  }
}
