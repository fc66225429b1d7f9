/**
 * Vendors' calls to the store. Each is retried until the store answers 2xx, with back-off and a limited number of attempts. The
 * modes let a test see it arrive twice, late, in any order or never. A restart forgets undelivered calls, because the store must
 * not rely on them.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { SandboxOptions } from "./options.ts";

export const webhookModeSchema = z.object({
  mode: z.enum(["normal", "twice", "late", "shuffled", "never"]),
  /** The delay of `late`, and the maximum of `shuffled`; 5 seconds when left out. */
  delayMs: z.int().nonnegative().optional(),
  /** Delays of the next deliveries of `shuffled`, one each, instead of random ones. */
  delaysMs: z.array(z.int().nonnegative()).optional(),
});
type WebhookMode = z.infer<typeof webhookModeSchema>;

interface Delivery {
  readonly eventId: string;
  readonly event: string;
  attempts: number;
  /** Status of the last response; 0 when there was none. */
  status: number | undefined;
  done: boolean;
}

export interface WebhookMessage {
  url: string;
  event: string;
  eventId: string;
  body: string;
  headers: Readonly<Record<string, string>>;
}

const answerWithinMs = 5000;
const usualRetryDelays = [500, 1000, 2000, 5000, 10_000, 20_000, 40_000];
const deliveriesKept = 200;

export class WebhookDeliveries {
  readonly deliveries: Delivery[] = [];
  mode: WebhookMode = { mode: "normal" };
  protected readonly options: SandboxOptions;
  #stopping = new AbortController();

  constructor(options: SandboxOptions) {
    this.options = options;
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

  protected deliver(message: WebhookMessage): void {
    const { mode, delayMs = 5000 } = this.mode;
    if (mode === "never") return;
    const { signal } = this.#stopping;
    const copies = mode === "twice" ? 2 : 1;
    const delay = this.#delayOf(mode, delayMs);
    for (let copy = 0; copy < copies; copy += 1) {
      this.#deliver(message, delay, signal).catch((error: unknown) => {
        if (!signal.aborted) this.options.log("webhook delivery broke", { error: String(error) });
      });
    }
  }

  #delayOf(mode: WebhookMode["mode"], longestMs: number): number {
    if (mode === "late") return longestMs;
    if (mode !== "shuffled") return 0;
    const [next, ...delaysMs] = this.mode.delaysMs ?? [];
    this.mode = { ...this.mode, delaysMs };
    return next ?? Math.random() * longestMs;
  }

  async #deliver(message: WebhookMessage, delay: number, signal: AbortSignal): Promise<void> {
    const { event, eventId } = message;
    const delivery: Delivery = { eventId, event, attempts: 0, status: undefined, done: false };
    this.deliveries.push(delivery);
    if (this.deliveries.length > deliveriesKept) this.deliveries.shift();

    for (const wait of [delay, ...(this.options.webhookRetryDelays ?? usualRetryDelays)]) {
      await sleep(wait, undefined, { signal });
      delivery.attempts += 1;
      delivery.status = await post(message, signal);
      if (delivery.status >= 200 && delivery.status < 300) {
        delivery.done = true;
        return;
      }
    }
    this.options.log("webhook given up", { event, eventId, status: delivery.status });
  }
}

async function post({ url, body, headers }: WebhookMessage, signal: AbortSignal): Promise<number> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
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
