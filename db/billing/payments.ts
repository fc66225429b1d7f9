/** Queries on payments (what a provider reports) and on its raw events. */
import type { Selectable } from "kysely";
import { newId, type OrderId, type PaymentId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { PaymentAccount, PaymentRowStatus, PaymentsTable } from "#db/tables/payments.ts";
import type { PaymentKey, ProviderAccount, ProviderOrderKey, ProviderPaymentKey } from "./payment-keys.ts";

/** The store's record of a provider's payment. */
export interface Payment extends PaymentKey {
  orderId: OrderId;
  /** The amount for the order, without the customer fee. Null until the provider reported it. */
  amountMinor: number | null;
  /** The provider's fee that the buyer paid on top of the order, in minor units. */
  customerFeeMinor: number;
  currency: string | null;
  /** The provider's term, such as "card". */
  method: string | null;
  status: PaymentRowStatus;
  /** Why the payment does not count for its order. */
  problem: string | null;
}

export async function findPayment(
  db: Db,
  { provider, providerPaymentId }: ProviderPaymentKey,
): Promise<Payment | null> {
  const row = await db
    .selectFrom("payments")
    .selectAll()
    .where("provider", "=", provider)
    .where("provider_payment_id", "=", providerPaymentId)
    .executeTakeFirst();
  return row === undefined ? null : paymentOf(row);
}

/** Lists all payments of an order, oldest first. */

export async function listPayments(db: Db, orderId: OrderId): Promise<Payment[]> {
  const rows = await db
    .selectFrom("payments")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("created_at")
    .execute();
  return rows.map(paymentOf);
}

function paymentOf(row: Selectable<PaymentsTable>): Payment {
  return {
    orderId: row.order_id,
    provider: row.provider,
    account: row.account,
    providerPaymentId: row.provider_payment_id,
    providerOrderId: row.provider_order_id,
    amountMinor: row.amount_minor,
    customerFeeMinor: row.customer_fee_minor,
    currency: row.currency,
    method: row.method,
    status: row.status,
    problem: row.problem,
  };
}

/**
 * Upserts a payment: one row per provider payment, however often it is reported. A captured or refunded payment does not
 * change.
 */
export async function savePayment(db: Db, report: Payment): Promise<void> {
  const known = {
    amount_minor: report.amountMinor,
    customer_fee_minor: report.customerFeeMinor,
    currency: report.currency,
    method: report.method,
    status: report.status,
    problem: report.problem,
    settled_at: report.status === "returned" ? null : new Date(),
  };
  await db
    .insertInto("payments")
    .values({
      id: newId<PaymentId>(),
      order_id: report.orderId,
      provider: report.provider,
      account: report.account,
      provider_payment_id: report.providerPaymentId,
      provider_order_id: report.providerOrderId,
      ...known,
    })
    .onConflict((oc) =>
      oc
        .columns(["provider", "provider_payment_id"])
        .doUpdateSet(known)
        .where(
          "payments.status",
          "not in",
          report.status === "returned"
            ? ["part", "captured", "refunded", "mismatch", "surplus"]
            : ["captured", "refunded"],
        ),
    )
    .execute();
}

/** Lists the partial payments for a provider's order, oldest first. The caller holds the order's lock. */
export async function listPartialPayments(
  db: Db,
  { provider, providerOrderId }: ProviderOrderKey,
): Promise<{ providerPaymentId: string; amountMinor: number }[]> {
  const rows = await db
    .selectFrom("payments")
    .select(["provider_payment_id", "amount_minor"])
    .where("provider", "=", provider)
    .where("provider_order_id", "=", providerOrderId)
    .where("status", "=", "part")
    .orderBy("created_at")
    .execute();
  return rows.map((row) => ({
    providerPaymentId: row.provider_payment_id,
    amountMinor: row.amount_minor ?? 0,
  }));
}

/**
 * Updates the partial payments of a provider's order together: they count with the payment that completes it, or are refunded.
 */
export async function updatePartialPayments(
  trx: Trx,
  { provider, providerOrderId }: ProviderOrderKey,
  outcome: { status: "part" | "surplus" | "refunded"; problem: string | null },
): Promise<void> {
  await trx
    .updateTable("payments")
    .set({ ...outcome, settled_at: new Date() })
    .where("provider", "=", provider)
    .where("provider_order_id", "=", providerOrderId)
    .where("status", "=", "part")
    .execute();
}

/** Finds the time of an account's latest event; null without a stored event. */
export async function findLastEvent(db: Db, { provider, account }: ProviderAccount): Promise<Date | null> {
  const row = await db
    .selectFrom("provider_events")
    .select("received_at")
    .where("provider", "=", provider)
    .where("account", "is not distinct from", account)
    .orderBy("received_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.received_at ?? null;
}

/** Lists the accounts at which buyers have paid the provider's fee on top of an order. */
export function listCustomerFees(db: Db): Promise<{ account: PaymentAccount }[]> {
  return db.selectFrom("payments").select("account").distinct().where("customer_fee_minor", ">", 0).execute();
}
