/** Queries on payment intents (what we asked the provider for), payments (what it reports) and its raw events. */
import { sql } from "kysely";
import { newId, type OrderId, type PaymentId } from "./ids.ts";
import type { Db, Trx } from "./tables/index.ts";
import type { PaymentIntentRow, PaymentRow, PaymentRowStatus } from "./tables/payments.ts";

export async function findOpenIntent(db: Db, orderId: OrderId): Promise<PaymentIntentRow | null> {
  const row = await db
    .selectFrom("payment_intents")
    .selectAll()
    .where("order_id", "=", orderId)
    .where("status", "<>", "superseded")
    .executeTakeFirst();
  return row ?? null;
}

export async function findIntentByProviderOrder(
  db: Db,
  providerOrderId: string,
): Promise<PaymentIntentRow | null> {
  const row = await db
    .selectFrom("payment_intents")
    .selectAll()
    .where("provider_order_id", "=", providerOrderId)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertIntent(
  trx: Trx,
  intent: Pick<PaymentIntentRow, "order_id" | "amount_minor" | "currency" | "receipt">,
): Promise<PaymentIntentRow> {
  return trx
    .insertInto("payment_intents")
    .values({ ...intent, id: newId(), provider_order_id: null, status: "open" })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Names the provider's order; keeps the first name when two callers race. */
export async function nameProviderOrder(db: Db, intentId: string, providerOrderId: string): Promise<void> {
  await db
    .updateTable("payment_intents")
    .set({ provider_order_id: providerOrderId })
    .where("id", "=", intentId)
    .where("provider_order_id", "is", null)
    .execute();
}

export async function setIntentStatus(
  trx: Trx,
  orderId: OrderId,
  from: PaymentIntentRow["status"],
  to: PaymentIntentRow["status"],
): Promise<void> {
  await trx
    .updateTable("payment_intents")
    .set({ status: to })
    .where("order_id", "=", orderId)
    .where("status", "=", from)
    .execute();
}

export async function findPayment(db: Db, providerPaymentId: string): Promise<PaymentRow | null> {
  const row = await db
    .selectFrom("payments")
    .selectAll()
    .where("provider_payment_id", "=", providerPaymentId)
    .executeTakeFirst();
  return row ?? null;
}

export async function listPayments(db: Db, orderId: OrderId): Promise<PaymentRow[]> {
  return db
    .selectFrom("payments")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("created_at")
    .execute();
}

export interface PaymentReport {
  orderId: OrderId;
  providerPaymentId: string;
  providerOrderId: string;
  amountMinor: number | null;
  currency: string | null;
  method: string | null;
  status: PaymentRowStatus;
  problem: string | null;
}

/** Writes what is known of a payment; one row a provider payment, however often it is reported. A capture is final. */
export async function savePayment(db: Db, report: PaymentReport): Promise<void> {
  const known = {
    amount_minor: report.amountMinor,
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
      provider_payment_id: report.providerPaymentId,
      provider_order_id: report.providerOrderId,
      ...known,
    })
    .onConflict((oc) =>
      oc
        .column("provider_payment_id")
        .doUpdateSet(known)
        .where(
          "payments.status",
          "not in",
          report.status === "returned" ? ["captured", "mismatch", "surplus"] : ["captured"],
        ),
    )
    .execute();
}

/** @returns false when the event had been received before */
export async function insertProviderEvent(
  trx: Trx,
  event: { provider: string; eventId: string; type: string; payload: unknown },
): Promise<boolean> {
  const result = await trx
    .insertInto("provider_events")
    .values({
      provider: event.provider,
      event_id: event.eventId,
      type: event.type,
      payload: JSON.stringify(event.payload),
    })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function findProviderEvent(
  db: Db,
  provider: string,
  eventId: string,
): Promise<{ payload: unknown } | null> {
  const row = await db
    .selectFrom("provider_events")
    .select("payload")
    .where("provider", "=", provider)
    .where("event_id", "=", eventId)
    .executeTakeFirst();
  return row ?? null;
}

export async function markEventProcessed(db: Db, provider: string, eventId: string): Promise<void> {
  await db
    .updateTable("provider_events")
    .set({ processed_at: sql`coalesce(processed_at, now())` })
    .where("provider", "=", provider)
    .where("event_id", "=", eventId)
    .execute();
}

/** Provider orders of unpaid orders whose payment was begun before `before`: what the sweeper looks up. */
export async function listUnsettledIntents(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("payment_intents")
    .innerJoin("orders", "orders.id", "payment_intents.order_id")
    .select("payment_intents.provider_order_id")
    .where("payment_intents.status", "<>", "paid")
    .where("payment_intents.provider_order_id", "is not", null)
    .where("payment_intents.created_at", "<", before)
    // A week is longer than any capture takes; older ones stay for the operator's books.
    .where("payment_intents.created_at", ">", new Date(before.getTime() - 7 * 86_400_000))
    .where("orders.payment_status", "<>", "completed")
    .orderBy("payment_intents.created_at")
    .limit(limit)
    .execute();
  return rows.flatMap((row) => row.provider_order_id ?? []);
}
