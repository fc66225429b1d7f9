/**
 * State of the providers and calls to them, read from the sandbox over HTTP: entities, effects by kind, and every call in order.
 */
import { z } from "zod";
import { charge } from "#sandbox/vendors/charge.ts";
import type { Fault } from "#sandbox/vendors/faults.ts";
import type { GoogleMode as WholeGoogleMode } from "#sandbox/vendors/google/mode.ts";

type GoogleMode = Partial<WholeGoogleMode>;

const call = z.object({
  at: z.iso.datetime().transform((text) => Date.parse(text)),
  method: z.string(),
  path: z.string(),
  requestId: z.string().optional(),
  body: z.unknown().optional(),
  /** Missing for a call that was never answered. */
  status: z.number().optional(),
});
export type Call = z.infer<typeof call>;

const ofCustomer = z.object({ customerId: z.string() });
const state = z.object({
  counts: z.record(z.string(), z.number()),
  /** Number of responses that hid a customer's resource, by Microsoft's id or Google's name of the customer. */
  unseen: z.record(z.string(), z.number()),
  partnerCenter: z.object({
    customers: z.array(z.object({ id: z.string(), domain: z.string(), source: z.string() })),
    users: z.array(
      ofCustomer.extend({
        userPrincipalName: z.string(),
        password: z.string(),
        roles: z.array(z.string()),
      }),
    ),
    agreements: z.array(ofCustomer),
    carts: z.array(ofCustomer),
    orders: z.array(ofCustomer),
    subscriptions: z.array(
      ofCustomer.extend({
        id: z.string(),
        quantity: z.number(),
        status: z.string(),
        endsAt: z.number(),
        autoRenewEnabled: z.boolean(),
        scheduledNextTermInstructions: z.object({ quantity: z.number() }).nullable(),
      }),
    ),
  }),
  google: z.object({
    customers: z.array(z.object({ name: z.string(), domain: z.string() })),
    users: z.array(
      z.object({
        customerName: z.string(),
        primaryEmail: z.string(),
        password: z.string(),
        isAdmin: z.boolean(),
      }),
    ),
    entitlements: z.array(
      z.object({
        name: z.string(),
        customerName: z.string(),
        sku: z.string(),
        numUnits: z.number(),
        endsAt: z.number(),
        suspendedFor: z.string().nullable(),
        purchaseOrderId: z.string(),
      }),
    ),
  }),
  bills: z.array(charge),
  notices: z.object({ deliveries: z.array(z.object({ done: z.boolean() })) }),
  /** Faults that are not used up. */
  faults: z.array(z.unknown()),
  journal: z.array(call),
});
export type ProviderState = z.infer<typeof state>;

export function providerState(sandboxUrl: string) {
  async function pull(lever: string, body: unknown): Promise<void> {
    const response = await fetch(`${sandboxUrl}/control/${lever}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`/control/${lever}: ${response.status} ${await response.text()}`);
  }
  const read = async (): Promise<ProviderState> =>
    state.parse(await (await fetch(`${sandboxUrl}/control/state`)).json());
  return {
    state: read,
    calls: async (matching: (call: Call) => boolean = () => true): Promise<Call[]> =>
      (await read()).journal.filter(matching),
    /** Replaces all faults. */
    faults: (...faults: Fault[]) => pull("faults", faults),
    /** The administrator of this domain accepts us as partner. */
    approve: (domain: string) => pull("approve", { domain }),
    /** Another reseller has this domain at Google, with these plans. */
    holdElsewhere: (domain: string, skus: string[]) =>
      pull("seed", {
        google: {
          identities: [{ domain, skus: skus.map((sku) => `products/Google-Apps/skus/${sku}`) }],
        },
      }),
    /** A super administrator accepts Google's terms of service. */
    acceptTerms: (domain: string) => pull("accept-terms", { domain }),
    /** Changes Google's behaviour; other settings stay. */
    google: (mode: GoogleMode) => pull("google", mode),
    /** Milliseconds by which the providers' clocks run ahead of ours. */
    clock: (offsetMs: number) => pull("clock", { offsetMs }),
    /** Registers the domain for somebody else. */
    takeDomain: (domain: string) => pull("seed", { customers: [{ domain }] }),
    webhooks: (mode: "normal" | "twice" | "never" | "late", delayMs?: number) =>
      pull("webhooks", { mode, ...(delayMs !== undefined && { delayMs }) }),
    reset: () => pull("reset", {}),
  };
}
export type ProviderStateReader = ReturnType<typeof providerState>;
