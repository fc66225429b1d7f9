/** What the providers know and were asked, read from the sandbox over HTTP: entities, effects by kind, and every call in order. */
import { z } from "zod";
import type { Fault } from "#server/sandbox/faults.ts";

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
    subscriptions: z.array(ofCustomer.extend({ id: z.string(), quantity: z.number(), status: z.string() })),
  }),
  /** Those not used up. */
  faults: z.array(z.unknown()),
  journal: z.array(call),
});
export type ProviderState = z.infer<typeof state>;

export function providerSideOf(sandboxUrl: string) {
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
    /** In place of all there were. */
    faults: (...faults: Fault[]) => pull("faults", faults),
    /** The administrator of this domain accepts us as partner. */
    approve: (domain: string) => pull("approve", { domain }),
    /** Somebody else takes the domain. */
    takeDomain: (domain: string) => pull("seed", { customers: [{ domain }] }),
    webhooks: (mode: "normal" | "never" | "late", delayMs?: number) =>
      pull("webhooks", { mode, ...(delayMs !== undefined && { delayMs }) }),
    reset: () => pull("reset", {}),
  };
}
export type ProviderSide = ReturnType<typeof providerSideOf>;
