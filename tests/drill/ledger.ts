/**
 * The ledger after a drill: whether everything that was paid at the provider was fulfilled once, in the store and at the vendors,
 * with its invoice and its mails, and whether nothing is left over.
 */
import { sql } from "kysely";
import type { Context } from "#server/platform/context.ts";
import type { Fleet } from "#tests/support/fleet.ts";
import type { PassedMail } from "#tests/support/smtp-relay.ts";

/** Job key of the drill's own sweeps, which run until its end. */
export const sweepKey = "drill-sweep";

export interface Books {
  paid: number;
  fulfilledOnce: number;
  /** Paid at the provider, but unknown to the store. */
  lost: string[];
  /** Bought twice, in the store or at a vendor. */
  doubled: string[];
  /** Paid, but neither fulfilled nor refunded. */
  stuck: string[];
  invoicesMissing: string[];
}

export async function readBooks({ context, sides }: Fleet): Promise<Books> {
  const { db } = context;
  const { razorpay } = await sides.controls.state();
  const orders = await db
    .selectFrom("orders")
    .leftJoin("payments", (join) =>
      join.onRef("payments.order_id", "=", "orders.id").on("payments.status", "!=", "failed"),
    )
    .leftJoin("invoices", "invoices.order_id", "orders.id")
    .leftJoin("fulfilments", "fulfilments.order_id", "orders.id")
    .select((eb) => [
      "orders.id",
      "orders.family",
      "orders.kind",
      "orders.stage",
      "orders.fulfilment_status",
      eb.fn.max("fulfilments.last_error").as("last_error"),
      eb.fn.count<number>("payments.id").distinct().as("payments"),
      eb.fn.count<number>("invoices.number").distinct().as("invoices"),
      eb.fn.count<number>("fulfilments.order_id").distinct().as("fulfilments"),
    ])
    .where("orders.paid_at", "is not", null)
    .groupBy("orders.id")
    .execute();
  const known = await db.selectFrom("payments").select("provider_payment_id").execute();
  const knownIds = new Set(known.map(({ provider_payment_id }) => provider_payment_id));
  const name = ({ id, family, kind, stage, fulfilment_status, last_error }: (typeof orders)[number]) =>
    `${kind} ${family} ${id}: ${stage}, ${fulfilment_status}${last_error === null ? "" : `: ${last_error}`}`;
  const isDone = (order: (typeof orders)[number]) =>
    order.stage === "stage4" && order.fulfilment_status === "done";
  const { missing, doubled } = await compareWithVendors(context, sides);
  return {
    paid: orders.length,
    fulfilledOnce: orders.filter((order) => isDone(order) && order.fulfilments === 1 && order.payments === 1)
      .length,
    lost: [
      ...razorpay.payments
        .filter(({ id, status }) => status === "captured" && !knownIds.has(id))
        .map(({ id }) => `payment ${id}`),
      ...missing,
    ],
    doubled: [
      ...orders.filter(({ payments, fulfilments }) => payments > 1 || fulfilments > 1).map(name),
      ...doubled,
    ],
    stuck: [...orders.filter((order) => !isDone(order)).map(name), ...(await heldOrDue(context))],
    invoicesMissing: [...orders.filter(({ invoices }) => invoices !== 1).map(name), ...(await gaps(context))],
  };
}

/** Expects every subscription of the store at its vendor with the same seats, and no other there. */
async function compareWithVendors(
  { db }: Context,
  { provider }: Fleet["sides"],
): Promise<{ missing: string[]; doubled: string[] }> {
  const { partnerCenter, google } = await provider.state();
  const theirs = new Map([
    ...partnerCenter.subscriptions.map(({ id, quantity }) => [id, quantity] as const),
    ...google.entitlements.map(({ name, numUnits }) => [name, numUnits] as const),
  ]);
  const ours = await db
    .selectFrom("subscriptions")
    .select(["external_id", "quantity"])
    .where("family", "in", ["microsoft", "google"])
    .execute();
  const ourIds = new Set(ours.map(({ external_id }) => external_id));
  return {
    missing: ours
      .filter(({ external_id, quantity }) => theirs.get(external_id) !== quantity)
      .map(
        ({ external_id, quantity }) => `${external_id}: ${quantity} here, ${theirs.get(external_id)} there`,
      ),
    doubled: [...theirs.keys()].filter((id) => !ourIds.has(id)).map((id) => `${id} is nobody's`),
  };
}

/** Remaining holds, pauses, jobs and mails. */
export async function heldOrDue({ db }: Context): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'hold on subscription ' || id as what from subscriptions where changing_order_id is not null
    union all select 'pause of ' || account from vendor_pauses
    union all select 'mail ' || kind || ' to ' || recipient from mails where sent_at is null and refused_at is null
    union all
      select 'job ' || task_identifier || ', tried ' || attempts || ' times: ' || coalesce(last_error, '')
      from graphile_worker.jobs
      where (run_at <= now() or attempts > 0) and key is distinct from ${sweepKey}`.execute(db);
  return rows.map(({ what }) => what);
}

/** Serial numbers missing in a series of invoices. */
async function gaps({ db }: Context): Promise<string[]> {
  const { rows } = await sql<{ series: string; issued: number; last: number }>`
    select series, count(*)::int as issued, max(serial)::int as last from invoices group by series`.execute(
    db,
  );
  return rows
    .filter(({ issued, last }) => issued !== last)
    .map(({ series, issued, last }) => `series ${series}: ${issued} invoices up to number ${last}`);
}

/** Number of times that each mail of the store was sent, from the mail relay's record. */
export async function readMails(
  { db }: Context,
  passed: readonly PassedMail[],
): Promise<{ once: number; again: string[]; wrong: string[] }> {
  // The link of an order that was paid before its mail was written is not mailed.
  const { rows } = await sql<{ id: string; kind: string; recipient: string; isOver: boolean }>`
    select id, kind, recipient, kind = 'payment-link' and exists (
      select from payment_intents intent
      where intent.id::text = mails.data ->> 'intentId' and (intent.status = 'paid' or intent.closed_at is not null)
    ) as "isOver"
    from mails`.execute(db);
  const times = new Map<string, number>();
  for (const { messageId } of passed) times.set(messageId, (times.get(messageId) ?? 0) + 1);
  const idOf = ({ id }: { id: string }) => `<${id}@localhost>`;
  const owed = new Set(rows.map(idOf));
  return {
    once: rows.filter((row) => times.get(idOf(row)) === 1).length,
    // A connection cut between the server's acceptance and our record repeats the mail with the same Message-ID.
    again: rows.filter((row) => (times.get(idOf(row)) ?? 0) > 1).map(({ kind }) => kind),
    wrong: [
      ...rows
        .filter((row) => !row.isOver && !times.has(idOf(row)))
        .map(({ kind, recipient }) => `${kind} to ${recipient}`),
      ...[...times.keys()].filter((messageId) => !owed.has(messageId)).map((id) => `unknown mail ${id}`),
    ],
  };
}
