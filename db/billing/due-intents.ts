/** Queries on the payment intents due for a lookup at their provider. */
import { type RawBuilder, sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import type { AccountOrderKey, ProviderAccount } from "./payment-keys.ts";

export interface DueIntent extends AccountOrderKey {
  id: string;
  /** Number of lookups by the sweep. */
  looks: number;
}

/** Must match the predicate of the partial index `payment_intents_awaited` literally, or PostgreSQL does not use it. */
const mayStillBePaid = sql<boolean>`(status <> 'paid' or takes_more) and provider_order_id is not null`;

/**
 * Lists the intents that the sweep must look up now, longest waiting first. Includes superseded ones, because their checkout
 * may still be open, and paid ones that may receive more money.
 * @param silent accounts to leave out, because they cannot be queried now
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

/** Lists the accounts that must still be queried: for an expected payment, or for a refund not sent yet. */
export async function listAccountsInUse(db: Db): Promise<ProviderAccount[]> {
  // One index step per account: an account may have thousands of payments.
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
 * Records a lookup of an intent and schedules the next one.
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

/** Makes every intent that may still be paid due now. @returns how many */
export async function makeAllLookupsDue(db: Db): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("payment_intents")
    .set({ next_look_at: sql<Date>`now()` })
    .where(mayStillBePaid)
    .where("next_look_at", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Moves an intent whose lookup failed behind all due ones, so that it is retried without blocking them. */
export async function postponeLookup(db: Db, id: string): Promise<void> {
  await db
    .updateTable("payment_intents")
    .set({ next_look_at: sql<Date>`now()` })
    .where("id", "=", id)
    .execute();
}

/**
 * Claims the one lookup per minute that opening an order may trigger, at the earliest a minute after its payment began.
 * @returns the provider's orders to look up, including superseded ones
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
