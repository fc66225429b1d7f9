/** Queries on disputes: payments that a cardholder's bank claims back. */
import { type DisputeId, newId, type OrderId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { DisputeStatus, PaymentProviderId } from "#db/tables/payments.ts";
import type { ProviderPaymentKey } from "./payment-keys.ts";

export interface Dispute extends ProviderPaymentKey {
  orderId: OrderId;
  providerDisputeId: string;
  /** Integer minor units. */
  amountMinor: number;
  /** Amount taken permanently. */
  deductedMinor: number;
  currency: string;
  reason: string | null;
  phase: string | null;
  status: DisputeStatus;
  respondBy: Date | null;
  /** The provider's time of this state. */
  toldAt: Date;
}

export async function findDispute(
  db: Db,
  { provider, providerDisputeId }: { provider: PaymentProviderId; providerDisputeId: string },
): Promise<Dispute | null> {
  const row = await db
    .selectFrom("disputes")
    .selectAll()
    .where("provider", "=", provider)
    .where("provider_dispute_id", "=", providerDisputeId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    orderId: row.order_id,
    provider: row.provider,
    providerPaymentId: row.provider_payment_id,
    providerDisputeId: row.provider_dispute_id,
    amountMinor: row.amount_minor,
    deductedMinor: row.deducted_minor,
    currency: row.currency,
    reason: row.reason,
    phase: row.phase,
    status: row.status,
    respondBy: row.respond_by,
    toldAt: row.told_at,
  };
}

/** Stores the latest state of a dispute. The caller holds the order's lock. */
export async function saveDispute(trx: Trx, dispute: Dispute): Promise<void> {
  const known = {
    amount_minor: dispute.amountMinor,
    deducted_minor: dispute.deductedMinor,
    currency: dispute.currency,
    reason: dispute.reason,
    phase: dispute.phase,
    status: dispute.status,
    respond_by: dispute.respondBy,
    told_at: dispute.toldAt,
    updated_at: new Date(),
  };
  await trx
    .insertInto("disputes")
    .values({
      id: newId<DisputeId>(),
      order_id: dispute.orderId,
      provider: dispute.provider,
      provider_payment_id: dispute.providerPaymentId,
      provider_dispute_id: dispute.providerDisputeId,
      ...known,
    })
    .onConflict((oc) => oc.columns(["provider", "provider_dispute_id"]).doUpdateSet(known))
    .execute();
}
