/** Queries on cancellations and reductions before the end of a term. */
import type { Selectable } from "kysely";
import { z } from "zod";
import { type EncounteredError, encounteredErrorsSchema } from "#db/fulfilment/fulfilments.ts";
import type { CancellationId, OrderId, RefundId, SubscriptionId, UserId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import type { CancellationsTable } from "#db/tables/cancellations.ts";
import type { CancellationKind, CancellationState } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { RefundStatus } from "#db/tables/payments.ts";

export interface Cancellation {
  id: CancellationId;
  subscriptionId: SubscriptionId;
  /** The order that the vendor requests are stored with, and that holds the subscription lock. */
  orderId: OrderId;
  kind: CancellationKind;
  seatsBefore: number;
  /** 0 for a cancellation. */
  seatsAfter: number;
  state: CancellationState;
  askedBy: UserId;
  /** The vendor's reason for refusing: a stored message. */
  problem: string | null;
  lastError: string | null;
  /** Keyed by the name of the error. */
  met: Readonly<Record<string, EncounteredError>>;
  needsPerson: boolean;
  /** Null until staff decide about it. */
  decision: Decision | null;
  createdAt: Date;
  vendorDoneAt: Date | null;
  finishedAt: Date | null;
}

const decisionSchema = z.object({
  /** "refuse": the subscription stays as it is. "finish": the vendor made the change, whether or not it shows it. */
  act: z.enum(["refuse", "finish"]),
  /** Reason for the buyer, when staff refuse the cancellation. */
  reason: z.string(),
});

/** Decision by staff about a stuck cancellation. */
export type Decision = z.infer<typeof decisionSchema>;

/** The licences and the amount that one order gets back. */
export interface CancellationPart {
  orderId: OrderId;
  seats: number;
  amount: Money;
}

const toCancellation = (row: Selectable<CancellationsTable>): Cancellation => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  orderId: row.order_id,
  kind: row.kind,
  seatsBefore: row.seats_before,
  seatsAfter: row.seats_after,
  state: row.state,
  askedBy: row.asked_by,
  problem: row.problem,
  lastError: row.last_error,
  met: encounteredErrorsSchema.parse(row.met),
  needsPerson: row.needs_person,
  decision: decisionSchema.nullable().parse(row.decision),
  createdAt: row.created_at,
  vendorDoneAt: row.vendor_done_at,
  finishedAt: row.finished_at,
});

export async function insertCancellation(
  trx: Trx,
  cancellation: Pick<
    Cancellation,
    "id" | "subscriptionId" | "orderId" | "kind" | "seatsBefore" | "seatsAfter" | "askedBy"
  >,
  parts: readonly CancellationPart[],
): Promise<void> {
  await trx
    .insertInto("cancellations")
    .values({
      id: cancellation.id,
      subscription_id: cancellation.subscriptionId,
      order_id: cancellation.orderId,
      kind: cancellation.kind,
      seats_before: cancellation.seatsBefore,
      seats_after: cancellation.seatsAfter,
      state: "requested",
      asked_by: cancellation.askedBy,
      problem: null,
      last_error: null,
    })
    .execute();
  await trx
    .insertInto("cancellation_parts")
    .values(
      parts.map(({ orderId, seats, amount }) => ({
        cancellation_id: cancellation.id,
        order_id: orderId,
        seats,
        amount_minor: amount.minor,
        currency: amount.currency,
      })),
    )
    .execute();
}

const cancellations = (db: Db) => db.selectFrom("cancellations").selectAll();

export const found = (row: Selectable<CancellationsTable> | undefined): Cancellation | null =>
  row === undefined ? null : toCancellation(row);

export async function findCancellation(db: Db, id: CancellationId): Promise<Cancellation | null> {
  return found(await cancellations(db).where("id", "=", id).executeTakeFirst());
}

/** Reads a cancellation and locks it until the transaction ends. */
export async function readCancellationLocked(trx: Trx, id: CancellationId): Promise<Cancellation | null> {
  return found(await cancellations(trx).where("id", "=", id).forUpdate().executeTakeFirst());
}

const open: readonly CancellationState[] = ["requested", "vendor_done"];

/** Finds a subscription's open cancellation. */
export async function findOpenCancellation(
  db: Db,
  subscriptionId: SubscriptionId,
): Promise<Cancellation | null> {
  return found(
    await cancellations(db)
      .where("subscription_id", "=", subscriptionId)
      .where("state", "in", open)
      .executeTakeFirst(),
  );
}

/** Lists an order's open cancellations that wait for a person, oldest first. */
export async function listStuckCancellations(db: Db, orderId: OrderId): Promise<Cancellation[]> {
  const rows = await cancellations(db)
    .where("order_id", "=", orderId)
    .where("needs_person", "=", true)
    .where("state", "in", open)
    .orderBy("created_at")
    .execute();
  return rows.map(toCancellation);
}

/** Lists open cancellations with their subscription's name and domain: those that need a person first, then oldest first. */
export async function listOpenCancellations(
  db: Db,
  most: number,
): Promise<(Cancellation & { name: string; domain: string })[]> {
  const rows = await db
    .selectFrom("cancellations")
    .innerJoin("subscriptions", "subscriptions.id", "cancellations.subscription_id")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .selectAll("cancellations")
    .select(["catalogue_items.name", "subscriptions.domain"])
    .where("cancellations.state", "in", open)
    .orderBy("cancellations.needs_person", "desc")
    .orderBy("cancellations.created_at")
    .limit(most)
    .execute();
  return rows.map(({ name, domain, ...row }) => ({ ...toCancellation(row), name, domain }));
}

/** Finds a subscription's newest cancellation. */
export async function findLatestCancellation(
  db: Db,
  subscriptionId: SubscriptionId,
): Promise<Cancellation | null> {
  return found(
    await cancellations(db)
      .where("subscription_id", "=", subscriptionId)
      .orderBy("created_at", "desc")
      .limit(1)
      .executeTakeFirst(),
  );
}

/** Finds the newest cancellation, not refused, that returns licences of an order, with their number. */
export async function findNewestOf(
  db: Db,
  orderId: OrderId,
): Promise<{ cancellation: Cancellation; seats: number } | null> {
  const row = await db
    .selectFrom("cancellation_parts")
    .innerJoin("cancellations", "cancellations.id", "cancellation_parts.cancellation_id")
    .selectAll("cancellations")
    .select("cancellation_parts.seats")
    .where("cancellation_parts.order_id", "=", orderId)
    .where("cancellations.state", "<>", "refused")
    .orderBy("cancellations.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { cancellation: toCancellation(row), seats: row.seats };
}

/** The fields of a cancellation that may change; undefined ones stay as they are. */
type Changes = Partial<
  Pick<
    Cancellation,
    "state" | "problem" | "lastError" | "met" | "needsPerson" | "decision" | "vendorDoneAt" | "finishedAt"
  >
>;

/** Updates a cancellation that is still in the given state. @returns false when it has left that state */
export async function updateCancellation(
  db: Db,
  { id, state }: Pick<Cancellation, "id" | "state">,
  changes: Changes,
): Promise<boolean> {
  const result = await db
    .updateTable("cancellations")
    // Kysely leaves out a column that is undefined.
    .set({
      state: changes.state,
      problem: changes.problem,
      last_error: changes.lastError,
      met: changes.met === undefined ? undefined : JSON.stringify(changes.met),
      needs_person: changes.needsPerson,
      decision: changes.decision === undefined ? undefined : JSON.stringify(changes.decision),
      vendor_done_at: changes.vendorDoneAt,
      finished_at: changes.finishedAt,
    })
    .where("id", "=", id)
    .where("state", "=", state)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Lists the parts in the order of their orders' ids, which is the order of locking. */
export async function listCancellationParts(db: Db, id: CancellationId): Promise<CancellationPart[]> {
  const rows = await db
    .selectFrom("cancellation_parts")
    .selectAll()
    .where("cancellation_id", "=", id)
    .orderBy("order_id")
    .execute();
  return rows.map((row) => ({
    orderId: row.order_id,
    seats: row.seats,
    amount: money(row.amount_minor, row.currency),
  }));
}

/**
 * Records that the refund of a part was requested.
 * @param amount the refunded amount, which may be less than was computed
 * @param refundId the first of its refunds, for the earlier version of the store during a deployment
 */
export async function setRefund(
  trx: Trx,
  { cancellationId, orderId }: { cancellationId: CancellationId; orderId: OrderId },
  { refundId, amount }: { refundId: RefundId | null; amount: Money },
): Promise<void> {
  await trx
    .updateTable("cancellation_parts")
    .set({ refund_id: refundId, amount_minor: amount.minor })
    .where("cancellation_id", "=", cancellationId)
    .where("order_id", "=", orderId)
    .execute();
}

export interface RefundOfCancellation {
  status: RefundStatus;
  /** Null until the bank has it. */
  bankReference: string | null;
}

/** Lists the refunds of a cancellation, oldest first. */
export async function listRefundsOf(db: Db, id: CancellationId): Promise<RefundOfCancellation[]> {
  return db
    .selectFrom("refunds")
    .select(["status", "bank_reference as bankReference"])
    .where((eb) =>
      eb.or([
        eb("cancellation_id", "=", id),
        eb("id", "in", (inner) =>
          inner.selectFrom("cancellation_parts").select("refund_id").where("cancellation_id", "=", id),
        ),
      ]),
    )
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}
