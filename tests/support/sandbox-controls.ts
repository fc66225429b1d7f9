/** Client of the sandbox's control API (`/control`), with validated responses. */
import { z } from "zod";
import type { CatalogueChange } from "#sandbox/vendors/catalogue-changes.ts";
import type { Fault } from "#sandbox/vendors/faults.ts";
import type { disputeAct } from "#sandbox/vendors/razorpay/refunds-and-disputes.ts";
import type { consoleChange } from "#sandbox/vendors/vendor-console.ts";

const paid = z.object({ paymentId: z.string(), signature: z.string() });
const state = z.object({
  counts: z.record(z.string(), z.number()),
  razorpay: z.object({
    orders: z.array(z.object({ id: z.string(), receipt: z.string().nullable(), amount: z.number() })),
    payments: z.array(z.object({ id: z.string(), order_id: z.string().nullable(), status: z.string() })),
    virtualAccounts: z.array(
      z.object({ id: z.string(), number: z.string(), notes: z.record(z.string(), z.string()) }),
    ),
    paymentLinks: z.array(
      z.object({
        id: z.string(),
        notes: z.record(z.string(), z.string()),
        amount: z.number(),
        cancelled_at: z.number(),
      }),
    ),
    refunds: z.array(
      z.object({
        id: z.string(),
        payment_id: z.string(),
        amount: z.number(),
        receipt: z.string().nullable(),
      }),
    ),
  }),
});
const withId = z.object({ id: z.string() });
const credited = z.object({ paymentId: z.string() });
const linkPaid = z.object({ paymentId: z.string(), orderId: z.string(), returnAddress: z.string() });
const refunded = z.object({
  razorpay: z.object({ refunds: z.array(z.object({ payment_id: z.string(), amount: z.number() })) }),
});
const clock = z.object({ now: z.iso.datetime().transform((text) => new Date(text)) });
const inbox = z.array(
  z.object({
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    /** Address for a mailbox provider's unsubscribe request; empty for a mail without. */
    unsubscribe: z.string(),
    attachments: z.array(z.object({ name: z.string(), type: z.string(), bytes: z.number() })),
  }),
);
export type Mail = z.infer<typeof inbox>[number];

export interface Payment {
  orderId: string;
  amount?: number;
  /** The provider's fee that the customer pays in addition, in minor units with the tax on it. */
  fee?: number;
  tax?: number;
  currency?: string;
  status?: "captured" | "authorized" | "failed";
  /** Razorpay's reason for a failure. */
  reason?: string;
  /** False suppresses the webhook; sent when left out. */
  webhook?: boolean;
}

export function sandboxControls(sandboxUrl: string) {
  async function pull(lever: string, body: unknown): Promise<unknown> {
    const response = await fetch(`${sandboxUrl}/control/${lever}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`/control/${lever}: ${response.status} ${await response.text()}`);
    return response.json();
  }
  return {
    /** Clears the sandbox's state. */
    reset: async () => {
      await pull("reset", {});
    },
    pay: async (payment: Payment) => paid.parse(await pull("pay", payment)),
    /** Credits a virtual account, in paise. */
    credit: async (given: { accountId: string; amount: number; webhook?: boolean }) =>
      credited.parse(await pull("credit", given)).paymentId,
    /** Pays a payment link, even a closed one. `returnAddress` is the browser's next address. */
    payLink: async (given: { linkId: string; method?: string; webhook?: boolean }) =>
      linkPaid.parse(await pull("pay-link", given)),
    faults: async (...faults: Fault[]) => {
      await pull("faults", faults);
    },
    /** Replaces Razorpay's settings for refunds. */
    refunds: async (mode: { answer?: "processed" | "pending"; balance?: "enough" | "low" }) => {
      await pull("refunds", mode);
    },
    /** Begins a refund in Razorpay's dashboard, or settles a pending one. @returns its id */
    refund: async (
      act: { paymentId: string; amount?: number } | { refundId: string; status: "processed" | "failed" },
    ) => withId.parse(await pull("refund", act)).id,
    /** Begins a bank's dispute, or moves it on. @returns its id */
    dispute: async (act: z.input<typeof disputeAct>) => withId.parse(await pull("dispute", act)).id,
    /** Sets the TXT records of a name, at every name server. */
    dns: async (name: string, values: string[]) => {
      await pull("dns", { name, values });
    },
    /** Sets the offers that vendors no longer sell: `product:sku` at Microsoft, a SKU at Google. */
    withdraw: async (...offers: string[]) => {
      await pull("withdrawn", offers);
    },
    /** Sets the number of published versions of Microsoft's customer agreement; the last is in force. */
    publishAgreements: async (agreementVersions: number) => {
      await pull("partner", { agreementVersions });
    },
    /** Replaces the deviations from vendors' usual catalogues. */
    catalogue: async (...changes: CatalogueChange[]) => {
      await pull("catalogue", changes);
    },
    /** Sets Google's quota of calls a minute; 0 for none. */
    googleQuota: async (callsPerMinute: number) => {
      await pull("google", { callsPerMinute });
    },
    /** Sets the factor for vendors' delays. */
    delays: async (scale: number) => {
      await pull("delays", { scale });
    },
    webhooks: async (mode: "normal" | "twice" | "late" | "shuffled" | "never", delayMs?: number) => {
      await pull("webhooks", { mode, ...(delayMs !== undefined && { delayMs }) });
    },
    /** Delivers the next webhooks out of order, after these delays, one each. */
    shuffleWebhooks: async (...delaysMs: number[]) => {
      await pull("webhooks", { mode: "shuffled", delaysMs });
    },
    /** Sets how vendors' notices are delivered. */
    notices: async (mode: "normal" | "twice" | "late" | "never", delayMs?: number) => {
      await pull("notices", { mode, ...(delayMs !== undefined && { delayMs }) });
    },
    /** Replaces the deviations from the usual payouts, by ids of payments and refunds: those left out, and other fees. */
    settlements: async (mode: { held?: string[]; fees?: Record<string, number> } = {}) => {
      await pull("settlements", mode);
    },
    /** Sets the milliseconds by which the vendors' clocks run ahead of ours. */
    clock: async (offsetMs: number) => {
      await pull("clock", { offsetMs });
    },
    /** Current time of the vendors' clocks. */
    now: async (): Promise<Date> => clock.parse(await pull("clock", { offsetMs: 0 })).now,
    /** Refunded amount of a payment, in minor units. */
    refundedOf: async (paymentId: string): Promise<number> => {
      const { razorpay } = refunded.parse(await (await fetch(`${sandboxUrl}/control/state`)).json());
      const own = razorpay.refunds.filter(({ payment_id }) => payment_id === paymentId);
      return own.reduce((sum, { amount }) => sum + amount, 0);
    },
    state: async () => state.parse(await (await fetch(`${sandboxUrl}/control/state`)).json()),
    /** Changes a subscription in the vendor's own console. */
    console: async (change: z.input<typeof consoleChange>) => {
      await pull("console", change);
    },
    /** Moves all charges of a subscription so far into the past by this time. */
    billedEarlier: async (given: { id: string; byMs: number }) => {
      await pull("billed-earlier", given);
    },
    /** Adds tenants, subscriptions and entitlements that already existed before us (the sandbox validates the body). */
    plant: async (given: object) => {
      await pull("seed", given);
    },
    /** Newest first. */
    inbox: async (to: string): Promise<Mail[]> =>
      inbox.parse(await (await fetch(`${sandboxUrl}/inbox.json?to=${encodeURIComponent(to)}`)).json()),
  };
}
export type SandboxControls = ReturnType<typeof sandboxControls>;
