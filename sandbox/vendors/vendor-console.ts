/** Simulates people who change subscriptions in the vendors' own consoles, outside the store. */
import { z } from "zod";
import { chargeUnits } from "./google/entitlements.ts";
import { chargeSeats } from "./partner-center/subscriptions.ts";
import type { Sandbox } from "./sandbox.ts";

export const consoleChange = z.object({
  /** Id of a Microsoft subscription, or the name of a Google entitlement. */
  id: z.string(),
  quantity: z.int().positive().optional(),
  /** Number of licences in use. */
  assigned: z.int().nonnegative().optional(),
  state: z.enum(["active", "suspended", "cancelled"]).optional(),
  endsAt: z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .optional(),
  /** Microsoft only: deadline for cancelling the subscription or any of its licences. */
  returnableUntil: z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .optional(),
  /** Microsoft only: switches just auto-renew off, so that a paid extension follows the term. */
  autoRenew: z.boolean().optional(),
  /** Moves it to another partner, so that it is no longer ours. */
  moved: z.boolean().default(false),
});
type ConsoleChange = z.infer<typeof consoleChange>;

/** @returns undefined when no vendor has it */
export async function changeInConsole(sandbox: Sandbox, change: ConsoleChange): Promise<object | undefined> {
  return atMicrosoft(sandbox, change) ?? (await atGoogle(sandbox, change));
}

function atMicrosoft(sandbox: Sandbox, change: ConsoleChange): object | undefined {
  const { subscriptions } = sandbox.state.partner;
  const id = change.id.toLowerCase();
  const found = subscriptions[id];
  if (found === undefined) return undefined;
  if (change.moved) delete subscriptions[id];
  if (change.quantity !== undefined && change.quantity !== found.quantity) {
    const seats = change.quantity - found.quantity;
    chargeSeats(sandbox, found, { kind: "seats", seats, startsAt: sandbox.now() });
    found.quantity = change.quantity;
    found.scheduledNextTermInstructions = null;
    found.scheduledActions = null;
  }
  found.assigned = change.assigned ?? found.assigned;
  found.endsAt = change.endsAt ?? found.endsAt;
  const { returnableUntil: until } = change;
  if (until !== undefined) {
    found.cancellableUntil = until;
    found.batches = found.batches.map(({ quantity }) => ({ quantity, until }));
  }
  if (change.autoRenew !== undefined) {
    found.autoRenewEnabled = change.autoRenew;
    found.scheduledActions = null;
  }
  if (change.state !== undefined) found.status = change.state === "cancelled" ? "deleted" : change.state;
  found.revision += 1;
  sandbox.notices.microsoft(found, sandbox.now());
  return found;
}

async function atGoogle(sandbox: Sandbox, change: ConsoleChange): Promise<object | undefined> {
  const { entitlements } = sandbox.state.google;
  const found = entitlements[change.id];
  if (found === undefined) return undefined;
  // Google deletes a cancelled entitlement.
  if (change.moved || change.state === "cancelled") delete entitlements[change.id];
  if (change.quantity !== undefined && change.quantity !== found.numUnits) {
    const seats = change.quantity - found.numUnits;
    chargeUnits(sandbox, found, { kind: "seats", seats, startsAt: sandbox.now() });
    found.numUnits = change.quantity;
  }
  found.assigned = change.assigned ?? found.assigned;
  found.endsAt = change.endsAt ?? found.endsAt;
  if (change.state !== undefined)
    found.suspendedFor = change.state === "active" ? null : "RESELLER_INITIATED";
  await sandbox.notices.google(found.name, eventOf(change), sandbox.now());
  return found;
}

function eventOf({ moved, state }: ConsoleChange): string {
  if (moved || state === "cancelled") return "CANCELLED";
  if (state === undefined) return "COMMITMENT_CHANGED";
  return state === "active" ? "ACTIVATED" : "SUSPENDED";
}
