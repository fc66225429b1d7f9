/** Queries on payment intents (what we asked a provider for), payments (what it reports) and its raw events. */
import { type RawBuilder, type Selectable, sql } from "kysely";
import { newId, type OrderId, type PaymentId } from "#db/ids.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type {
  PaymentAccount,
  PaymentIntentsTable,
  PaymentProviderId,
  PaymentRowStatus,
  PaymentsTable,
} from "#db/tables/payments.ts";

/** A provider's id for the order it created for us. */
export interface ProviderOrderKey {
  provider: PaymentProviderId;
  providerOrderId: string;
}

/** A provider's id for a payment. */
export interface ProviderPaymentKey {
  provider: PaymentProviderId;
  providerPaymentId: string;
}

/** An account of ours at a provider. */
export interface ProviderAccount {
  provider: PaymentProviderId;
  account: PaymentAccount;
}

/** A provider's order, and the account at the provider that knows it. */
export interface AccountOrderKey extends ProviderOrderKey, ProviderAccount {}

/** A payment, and the provider's order it was made for. */
export interface PaymentKey extends AccountOrderKey, ProviderPaymentKey {}

export interface PaymentIntent {
  id: string;
  orderId: OrderId;
  /** Our reference for the provider's order. */
  receipt: string;
  provider: PaymentProviderId;
  account: PaymentAccount;
  /** Null until the provider has been asked and has answered. */
  providerOrderId: string | null;
  amountMinor: number;
  currency: Currency;
  status: PaymentIntentsTable["status"];
  /** Whether nobody is to pay it any more: another amount is due, or none. */
  isClosed: boolean;
  /** JSON, validated by zod in server/billing/payments. Null for an intent begun by an earlier version. */
  paidFor: unknown;
}

/** What we know about a provider's payment. */
export interface Payment extends PaymentKey {
  orderId: OrderId;
  /** The order's money, without the customer's fee. Null until the provider was asked. */
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
 * Closes an order's open intents, because the next payment asks for another amount, or nothing is due any more. A payment
 * that still arrives for one counts for what it was begun for.
 */
export async function supersedeOpenIntents(trx: Trx, orderId: OrderId): Promise<void> {
  await trx
    .updateTable("payment_intents")
    .set({ status: "superseded" })
    .where("order_id", "=", orderId)
    .where("status", "=", "open")
    .execute();
}

/** Closes the superseded intents of an order, which nobody is to pay any more. @returns the ids of those that were not closed before */
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
 * Marks the intent that was paid, even when it was superseded meanwhile. Nothing else is due for its order.
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

/** Notes that the provider refused to open an intent, and supersedes it. One that was opened meanwhile stays. */
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

/** @returns null when no intent has that id or receipt */
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
 * Lets one caller at a time create the provider's order for an intent. The claim of a caller that died becomes stale and is
 * overridden.
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

/** All payments of an order, oldest first. */

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
 * Upserts what we know about a payment: one row per provider payment, however often it is reported. A capture is final, and
 * so is its refund.
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

/** The parts that have come in for a provider's order. Call it with the order locked. */
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

/** The parts of a provider's order count together with the payment that completes it, or go back together. */
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

/** When an account last sent an event; null when none of it is kept. */
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

export interface DueIntent extends AccountOrderKey {
  id: string;
  /** How often the sweeper has looked. */
  looks: number;
}

/** Must match the predicate of the partial index `payment_intents_awaited` literally, or PostgreSQL does not use it. */
const mayStillBePaid = sql<boolean>`(status <> 'paid' or takes_more) and provider_order_id is not null`;

/**
 * The intents the sweeper must look up now, longest waiting first. Superseded ones are included, because their checkout may
 * still be open, and paid ones to which more money may come.
 * @param silent accounts that are left out, because nothing can be asked of them now
 */
export async function listDueIntents(
  db: Db,
  limit: number,
  silent: readonly ProviderAccount[] = [],
): Promise<DueIntent[]> {
  const rows = await db
    .selectFrom("payment_intents")
    .select(["id", "provider", "account", "provider_order_id as providerOrderId", "looks"])
    .where(mayStillBePaid)
    .where("next_look_at", "<=", sql<Date>`now()`)
    .where(({ and, or, eb }) =>
      and(
        silent.map(({ provider, account }) =>
          or([eb("provider", "<>", provider), eb("account", "is distinct from", account)]),
        ),
      ),
    )
    .orderBy("next_look_at")
    .limit(limit)
    .execute();
  return rows.flatMap(({ providerOrderId, ...row }) =>
    providerOrderId === null ? [] : [{ ...row, providerOrderId }],
  );
}

/** The accounts that may still have to be asked: for a payment that is expected, or for a refund that was not sent yet. */
export async function listAccountsInUse(db: Db): Promise<ProviderAccount[]> {
  // One step of the index to each account: there may be thousands of payments of one.
  const next = (beyond: RawBuilder<unknown>) => sql`
    select provider, account from payment_intents
    where ${mayStillBePaid} and next_look_at is not null and ${beyond}
    order by provider, coalesce(account, '') limit 1`;
  const expected = db
    .withRecursive("expected(provider, account)", (cte) =>
      cte
        .selectFrom(sql<ProviderAccount>`(${next(sql`true`)})`.as("first"))
        .select(["provider", "account"])
        .unionAll(
          cte
            .selectFrom("expected")
            .innerJoinLateral(
              sql<ProviderAccount>`(${next(sql`(payment_intents.provider, coalesce(payment_intents.account, '')) > (expected.provider, coalesce(expected.account, ''))`)})`.as(
                "following",
              ),
              (join) => join.onTrue(),
            )
            .select(["following.provider", "following.account"]),
        ),
    )
    .selectFrom("expected")
    .select(["provider", "account"]);
  const refunded = db
    .selectFrom("refunds")
    .innerJoin("payments", (join) =>
      join
        .onRef("payments.provider", "=", "refunds.provider")
        .onRef("payments.provider_payment_id", "=", "refunds.provider_payment_id"),
    )
    .select(["payments.provider", "payments.account"])
    .where("refunds.status", "=", "requested");
  return expected.union(refunded).execute();
}

/**
 * Records a look-up of an intent, and schedules the next one.
 * @param forDays counted from the intent's creation; after that it is not looked up again
 */
export async function scheduleNextLookup(
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

/** Has every intent that may still be paid looked up now. @returns how many */
export async function makeAllLookupsDue(db: Db): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("payment_intents")
    .set({ next_look_at: sql<Date>`now()` })
    .where(mayStillBePaid)
    .where("next_look_at", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Moves an intent whose look-up failed behind all due ones, so that it is retried but does not block them. */
export async function postponeLookup(db: Db, id: string): Promise<void> {
  await db
    .updateTable("payment_intents")
    .set({ next_look_at: sql<Date>`now()` })
    .where("id", "=", id)
    .execute();
}

/**
 * Takes the one look-up per minute that opening an order may trigger, from a minute after its payment was begun.
 * @returns the provider's orders to look up, superseded ones included
 */
export async function claimLookup(db: Db, orderId: OrderId): Promise<AccountOrderKey[]> {
  const rows = await db
    .updateTable("payment_intents")
    .set({ looked_at: sql<Date>`now()` })
    .where("order_id", "=", orderId)
    .where(mayStillBePaid)
    .where(sql<boolean>`greatest(created_at, looked_at) < now() - interval '1 minute'`)
    .returning(["provider", "account", "provider_order_id as providerOrderId"])
    .execute();
  return rows.flatMap(({ providerOrderId, ...row }) =>
    providerOrderId === null ? [] : [{ ...row, providerOrderId }],
  );
}
