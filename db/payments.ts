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
  intent: Pick<PaymentIntentRow, "order_id" | "amount_minor" | "currency" | "receipt"> & {
    paid_for: string | null;
  },
): Promise<PaymentIntentRow> {
  return trx
    .insertInto("payment_intents")
    .values({ ...intent, id: newId(), provider_order_id: null, status: "open", asked_at: null })
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

/**
 * Closes what is open of an order: the next payment that is begun asks for another sum, or nothing is asked for any more. A payment
 * made for it after this still pays for what it was begun for.
 */
export async function supersedeOpenIntents(trx: Trx, orderId: OrderId): Promise<void> {
  await trx
    .updateTable("payment_intents")
    .set({ status: "superseded" })
    .where("order_id", "=", orderId)
    .where("status", "=", "open")
    .execute();
}

/** The one that money came for, superseded meanwhile or not; nothing else of its order is asked for any more. */
export async function markIntentPaid(
  trx: Trx,
  { id, order_id }: Pick<PaymentIntentRow, "id" | "order_id">,
): Promise<void> {
  await supersedeOpenIntents(trx, order_id);
  await trx.updateTable("payment_intents").set({ status: "paid" }).where("id", "=", id).execute();
}

/** @returns null when there is none by that id or receipt */
export async function findIntent(
  db: Db,
  by: { id: string } | { receipt: string },
): Promise<PaymentIntentRow | null> {
  const intents = db.selectFrom("payment_intents").selectAll();
  const row = await ("id" in by
    ? intents.where("id", "=", by.id)
    : intents.where("receipt", "=", by.receipt)
  ).executeTakeFirst();
  return row ?? null;
}

/**
 * Lets one caller at a time ask the provider for an intent's order; who has died over it is overtaken.
 * @returns false while another is asking, or once the order is named
 */
export async function claimIntent(db: Db, id: string, staleBefore: Date): Promise<boolean> {
  const result = await db
    .updateTable("payment_intents")
    .set({ asked_at: new Date() })
    .where("id", "=", id)
    .where("provider_order_id", "is", null)
    .where(({ eb, or }) => or([eb("asked_at", "is", null), eb("asked_at", "<", staleBefore)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function releaseIntent(db: Db, id: string): Promise<void> {
  await db.updateTable("payment_intents").set({ asked_at: null }).where("id", "=", id).execute();
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

/**
 * Writes what is known of a payment; one row a provider payment, however often it is reported. A capture is final, and so is
 * its refund.
 */
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
          report.status === "returned"
            ? ["captured", "refunded", "mismatch", "surplus"]
            : ["captured", "refunded"],
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

export interface DueIntent {
  id: string;
  provider_order_id: string;
  looks: number;
}

/** Word for word what the index of migration T02 says: only then is it used. */
const mayStillBePaid = sql<boolean>`status <> 'paid' and provider_order_id is not null`;

/** What the sweeper is to look up now, what has waited longest first. Superseded ones too: their checkout may still be open. */
export async function listDueIntents(db: Db, limit: number): Promise<DueIntent[]> {
  const rows = await db
    .selectFrom("payment_intents")
    .select(["id", "provider_order_id", "looks"])
    .where(mayStillBePaid)
    .where("next_look_at", "<=", sql<Date>`now()`)
    .orderBy("next_look_at")
    .limit(limit)
    .execute();
  return rows.flatMap(({ provider_order_id, ...row }) =>
    provider_order_id === null ? [] : [{ ...row, provider_order_id }],
  );
}

/**
 * Writes down that an intent was looked at, and when that is due again.
 * @param forDays counted from its beginning; after that it is not looked at again
 */
export async function scheduleNextLook(
  db: Db,
  id: string,
  { inSeconds, forDays }: { inSeconds: number; forDays: number },
): Promise<void> {
  await db
    .updateTable("payment_intents")
    .set({
      looks: sql`looks + 1`,
      looked_at: sql<Date>`now()`,
      next_look_at: sql<Date | null>`case when created_at > now() - make_interval(days => ${forDays}::int)
        then now() + make_interval(secs => ${inSeconds}::float8) end`,
    })
    .where("id", "=", id)
    .execute();
}

/** What could not be asked about goes behind all that is due: it is due again, and keeps nobody waiting. */
export async function postponeLook(db: Db, id: string): Promise<void> {
  await db
    .updateTable("payment_intents")
    .set({ next_look_at: sql<Date>`now()` })
    .where("id", "=", id)
    .execute();
}

/**
 * Takes the one look a minute that opening an order may ask for, from a minute after its payment was begun.
 * @returns the provider's orders to look at: of what was superseded too
 */
export async function takeLook(db: Db, orderId: OrderId): Promise<string[]> {
  const rows = await db
    .updateTable("payment_intents")
    .set({ looked_at: sql<Date>`now()` })
    .where("order_id", "=", orderId)
    .where(mayStillBePaid)
    .where(sql<boolean>`greatest(created_at, looked_at) < now() - interval '1 minute'`)
    .returning("provider_order_id")
    .execute();
  return rows.flatMap(({ provider_order_id }) => provider_order_id ?? []);
}
