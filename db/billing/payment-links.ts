/** Queries on payment links: the provider's pages where an intent without our checkout is paid, one per intent. */
import { sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { PaymentIntent } from "./payment-intents.ts";

export interface StoredPaymentLink {
  intentId: string;
  url: string;
  /** The time at which the provider stops taking payments through it. */
  expiresAt: Date;
}

/** Inserts an intent's link. @returns false when the intent already has one */
export async function insertPaymentLink(
  trx: Trx,
  { intentId, url, expiresAt }: StoredPaymentLink,
): Promise<boolean> {
  const result = await trx
    .insertInto("payment_links")
    .values({ intent_id: intentId, url, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Finds an intent's link; null until the provider has created it. */
export async function findPaymentLink(db: Db, intentId: string): Promise<StoredPaymentLink | null> {
  const row = await db
    .selectFrom("payment_links")
    .select(["intent_id as intentId", "url", "expires_at as expiresAt"])
    .where("intent_id", "=", intentId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Finds the order's newest link that another way to pay superseded, and that can still be paid.
 * @param input.paidFor as JSON; a link for another price or selection does not match
 */
export async function findFormerLink(
  db: Db,
  input: Pick<PaymentIntent, "provider" | "account"> & {
    orderId: OrderId;
    amountMinor: number;
    paidFor: string;
    now: Date;
  },
): Promise<string | null> {
  const row = await db
    .selectFrom("payment_links")
    .innerJoin("payment_intents", "payment_intents.id", "payment_links.intent_id")
    .select("payment_intents.id")
    .where("payment_intents.order_id", "=", input.orderId)
    .where("payment_intents.provider", "=", input.provider)
    .where("payment_intents.account", "=", input.account)
    .where("payment_intents.amount_minor", "=", input.amountMinor)
    .where("payment_intents.status", "=", "superseded")
    .where("payment_intents.closed_at", "is", null)
    .where("payment_links.expires_at", ">", input.now)
    .where(sql<boolean>`payment_intents.paid_for = ${input.paidFor}::jsonb`)
    .orderBy("payment_intents.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Opens a superseded intent again. The order must have no other open intent. */
export async function reopenIntent(trx: Trx, id: string): Promise<void> {
  await trx.updateTable("payment_intents").set({ status: "open" }).where("id", "=", id).execute();
}
