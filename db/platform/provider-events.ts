/** Queries on the events that payment providers send: each is stored once, and waits until its payment is known. */
import { sql } from "kysely";
import type { ProviderAccount, ProviderPaymentKey } from "#db/billing/payment-keys.ts";
import { afterTextCursor, type Cursor, microsecondsOf, type PageOfRows, pageOf } from "#db/keyset.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { PaymentProviderId, ProviderEventState } from "#db/tables/payments.ts";

/** A provider's id for an event. */
export interface ProviderEventKey {
  provider: PaymentProviderId;
  eventId: string;
}

/** @returns false when the event was already received */
export async function insertProviderEvent(
  trx: Trx,
  event: ProviderEventKey &
    ProviderAccount & {
      type: string;
      payload: unknown;
      state: Extract<ProviderEventState, "new" | "unused" | "unreadable">;
      problem: string | null;
    },
): Promise<boolean> {
  const { provider, account, eventId: event_id, type, payload, state, problem } = event;
  const result = await trx
    .insertInto("provider_events")
    .values({
      provider,
      account,
      event_id,
      type,
      payload: JSON.stringify(payload),
      state,
      problem,
      processed_at: state === "new" ? null : new Date(),
    })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function findProviderEvent(
  db: Db,
  { provider, eventId }: ProviderEventKey,
): Promise<(Pick<ProviderAccount, "account"> & { payload: unknown }) | null> {
  const row = await db
    .selectFrom("provider_events")
    .select(["account", "payload"])
    .where("provider", "=", provider)
    .where("event_id", "=", eventId)
    .executeTakeFirst();
  return row ?? null;
}

/** Stores the state of an event, which is final unless it waits. @param paymentId the payment that it waits for */
export async function setProviderEventState(
  db: Db,
  { provider, eventId }: ProviderEventKey,
  outcome: { state: "applied" | "foreign" } | { state: "waiting"; paymentId: string },
): Promise<void> {
  const isWaiting = outcome.state === "waiting";
  await db
    .updateTable("provider_events")
    .set({
      state: outcome.state,
      payment_id: isWaiting ? outcome.paymentId : null,
      processed_at: isWaiting ? null : sql<Date>`coalesce(processed_at, now())`,
    })
    .where("provider", "=", provider)
    .where("event_id", "=", eventId)
    .execute();
}

/** Lists the events that wait for a payment. @param payment.providers those of the outside system that knows it */
export function listEventsWaitingFor(
  db: Db,
  {
    providers,
    providerPaymentId,
  }: { providers: readonly PaymentProviderId[] } & Pick<ProviderPaymentKey, "providerPaymentId">,
): Promise<ProviderEventKey[]> {
  return db
    .selectFrom("provider_events")
    .select(["provider", "event_id as eventId"])
    .where("state", "=", "waiting")
    .where("payment_id", "=", providerPaymentId)
    .where("provider", "in", providers)
    .execute();
}

/** Lists waiting events that arrived at `since` or later, oldest first. */
export function listWaitingEvents(
  db: Db,
  { since, limit }: { since: Date; limit: number },
): Promise<ProviderEventKey[]> {
  return db
    .selectFrom("provider_events")
    .select(["provider", "event_id as eventId"])
    .where("state", "=", "waiting")
    .where("received_at", ">=", since)
    .orderBy("received_at")
    .limit(limit)
    .execute();
}

/** States of events that had no effect, as Desk lists them. */
export const unusedEventStates = ["waiting", "unreadable", "unused", "foreign"] as const;
export type UnusedEventState = (typeof unusedEventStates)[number];

/** An event that had no effect. */
export interface ListedEvent extends ProviderEventKey, ProviderAccount {
  type: string;
  state: UnusedEventState;
  /** Payment that it waits for. */
  paymentId: string | null;
  problem: string | null;
  receivedAt: Date;
}

/** Lists the events that had no effect, newest first. */
export async function listUnusedEvents(
  db: Db,
  { state, after, limit }: { state: UnusedEventState | null; after: Cursor | null; limit: number },
): Promise<PageOfRows<ListedEvent>> {
  const rows = await db
    .selectFrom("provider_events")
    .select([
      "provider",
      "account",
      "event_id as eventId",
      "type",
      "state",
      "payment_id as paymentId",
      "problem",
      "received_at as receivedAt",
      microsecondsOf("received_at").as("at"),
    ])
    .where("state", "in", state === null ? unusedEventStates : [state])
    .$if(after !== null, (query) =>
      query.where(afterTextCursor(after ?? { at: 0, id: "" }, { at: "received_at", id: "event_id" }, "desc")),
    )
    .orderBy("received_at", "desc")
    .orderBy(sql`event_id collate "C"`, "desc")
    .limit(limit + 1)
    .execute();
  const { rows: page, next } = pageOf(
    rows.map((row) => ({ ...row, id: row.eventId })),
    limit,
  );
  return {
    rows: page.flatMap(({ at: _at, id: _id, ...row }) => {
      const known = unusedEventStates.find((each) => each === row.state);
      return known === undefined ? [] : [{ ...row, state: known }];
    }),
    next,
  };
}

/** Counts the events that had no effect, by state. */
export async function countUnusedEvents(db: Db): Promise<ReadonlyMap<ProviderEventState, number>> {
  const rows = await db
    .selectFrom("provider_events")
    .select((eb) => ["state", eb.fn.countAll<number>().as("count")])
    .where("state", "in", unusedEventStates)
    .groupBy("state")
    .execute();
  return new Map(rows.map(({ state, count }) => [state, count]));
}
