/** Queries on payment intents, the store's record of an order at a payment provider. */
import { type Selectable, sql } from "kysely";
import { newId, type OrderId } from "#db/ids.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { PaymentAccount, PaymentIntentsTable, PaymentProviderId } from "#db/tables/payments.ts";
import type { ProviderOrderKey } from "./payment-keys.ts";

export interface PaymentIntent {
  id: string;
  orderId: OrderId;
  /** Our reference for the provider's order. */
  receipt: string;
  provider: PaymentProviderId;
  account: PaymentAccount;
  /** Null until the provider has created its order. */
  providerOrderId: string | null;
  amountMinor: number;
  currency: Currency;
  status: PaymentIntentsTable["status"];
  /** Whether it must not be paid any more, because another amount is due, or none. */
  isClosed: boolean;
  /** JSON, validated by zod in server/billing/payments. Null for an intent from an earlier version. */
  paidFor: unknown;
}

export async function findOpenIntent(db: Db, orderId: OrderId): Promise<PaymentIntent | null> {
  const row = await db
    .selectFrom("payment_intents")
    .selectAll()
    .where("order_id", "=", orderId)
    .where("status", "<>", "superseded")
    .executeTakeFirst();
  return row === undefined ? null : intentOf(row);
}

export async function findIntentByProviderOrder(
  db: Db,
  { provider, providerOrderId }: ProviderOrderKey,
): Promise<PaymentIntent | null> {
  const row = await db
    .selectFrom("payment_intents")
    .selectAll()
    .where("provider", "=", provider)
    .where("provider_order_id", "=", providerOrderId)
    .executeTakeFirst();
  return row === undefined ? null : intentOf(row);
}

export async function insertIntent(
  trx: Trx,
  intent: Pick<PaymentIntent, "orderId" | "receipt" | "provider" | "account" | "amountMinor" | "currency"> & {
    paidFor: string | null;
  },
): Promise<PaymentIntent> {
  const row = await trx
    .insertInto("payment_intents")
    .values({
      id: newId(),
      order_id: intent.orderId,
      receipt: intent.receipt,
      provider: intent.provider,
      account: intent.account,
      provider_order_id: null,
      amount_minor: intent.amountMinor,
      currency: intent.currency,
      status: "open",
      paid_for: intent.paidFor,
      asked_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return intentOf(row);
}

function intentOf(row: Selectable<PaymentIntentsTable>): PaymentIntent {
  return {
    id: row.id,
    orderId: row.order_id,
    receipt: row.receipt,
    provider: row.provider,
    account: row.account,
    providerOrderId: row.provider_order_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    status: row.status,
    isClosed: row.closed_at !== null,
    paidFor: row.paid_for,
  };
}

/** Stores the id of the provider's order. The first id wins when two callers race. */
export async function setProviderOrderId(db: Db, intentId: string, providerOrderId: string): Promise<void> {
  await db
    .updateTable("payment_intents")
    .set({ provider_order_id: providerOrderId })
    .where("id", "=", intentId)
    .where("provider_order_id", "is", null)
    .execute();
}

/**
 * Supersedes an order's open intents, because another amount is due, or none. A payment that still arrives for one counts for
 * the order as it was then.
 */
export async function supersedeOpenIntents(trx: Trx, orderId: OrderId): Promise<void> {
  await trx
    .updateTable("payment_intents")
    .set({ status: "superseded" })
    .where("order_id", "=", orderId)
    .where("status", "=", "open")
    .execute();
}

/** Closes the superseded intents of an order, so that nobody pays them. @returns the ids of those closed now */
export async function closeIntents(trx: Trx, orderId: OrderId): Promise<string[]> {
  const rows = await trx
    .updateTable("payment_intents")
    .set({ closed_at: sql<Date>`now()` })
    .where("order_id", "=", orderId)
    .where("status", "=", "superseded")
    .where("closed_at", "is", null)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Marks an intent as paid, even if it was superseded in the meantime, and supersedes the order's other intents.
 * @param options.takesMore whether more money may reach the provider's order
 */
export async function markIntentPaid(
  trx: Trx,
  { id, orderId }: Pick<PaymentIntent, "id" | "orderId">,
  { takesMore }: { takesMore: boolean },
): Promise<void> {
  await supersedeOpenIntents(trx, orderId);
  await trx
    .updateTable("payment_intents")
    .set({ status: "paid", takes_more: takesMore })
    .where("id", "=", id)
    .execute();
}

/** Records that the provider refused to open an intent, and supersedes it unless it was opened in the meantime. */
export async function refuseIntent(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable("payment_intents")
    .set({ refused_at: sql<Date>`now()`, status: "superseded" })
    .where("id", "=", id)
    .where("status", "=", "open")
    .execute();
}

/** Lists the providers that refused to open a payment of an order's amount at `since` or later. */
export async function listRefusedProviders(
  db: Db,
  { orderId, amountMinor, since }: { orderId: OrderId; amountMinor: number; since: Date },
): Promise<PaymentProviderId[]> {
  const rows = await db
    .selectFrom("payment_intents")
    .select("provider")
    .distinct()
    .where("order_id", "=", orderId)
    .where("amount_minor", "=", amountMinor)
    .where("refused_at", ">=", since)
    .execute();
  return rows.map(({ provider }) => provider);
}

/** Finds an intent by its id or receipt. */
export async function findIntent(
  db: Db,
  by: { id: string } | { receipt: string },
): Promise<PaymentIntent | null> {
  const intents = db.selectFrom("payment_intents").selectAll();
  const row = await ("id" in by
    ? intents.where("id", "=", by.id)
    : intents.where("receipt", "=", by.receipt)
  ).executeTakeFirst();
  return row === undefined ? null : intentOf(row);
}

/**
 * Lets one caller at a time create the provider's order for an intent. A stale claim, of a caller that died, is overridden.
 * @returns false while another caller holds the claim, or once the provider's order is known
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
