/** Queries on payments received for orders, and on their rest after refunds and disputes. */
import { type RawBuilder, sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { PaymentAccount, PaymentRowStatus } from "#db/tables/payments.ts";
import { creditedOf, refundedOf } from "./credit-notes.ts";
import type { ProviderPaymentKey } from "./payment-keys.ts";

/** A received payment, with the amount that was refunded or lost. */
export interface ReceivedPayment extends ProviderPaymentKey {
  orderId: OrderId;
  account: PaymentAccount;
  /** The amount for the order, without the customer fee. Null until the provider reported it. */
  amountMinor: number | null;
  /** The unrefunded part of the customer fee, in minor units. */
  customerFeeLeftMinor: number;
  currency: string | null;
  /** The payment method as the provider names it; null when it reported none. */
  method: string | null;
  status: PaymentRowStatus;
  receivedAt: Date;
  /** Sum of refunds that did not fail and of lost disputes, in minor units. */
  goneMinor: number;
}

/** SQL: the refunded or lost amount of a payment in minor units: refunds that did not fail, and lost disputes. */
export const returnedMinorSql = sql<number>`(
  (select coalesce(sum(refunds.amount_minor), 0) from refunds
    where refunds.provider = payments.provider
      and refunds.provider_payment_id = payments.provider_payment_id and refunds.status <> 'failed')
  + (select coalesce(sum(disputes.deducted_minor), 0) from disputes
    where disputes.provider = payments.provider
      and disputes.provider_payment_id = payments.provider_payment_id and disputes.status = 'lost')
)::bigint`;

const received = (db: Db) =>
  db.selectFrom("payments").select([
    "order_id as orderId",
    "provider",
    "provider_payment_id as providerPaymentId",
    "account",
    "amount_minor as amountMinor",
    sql<number>`(customer_fee_minor - (select coalesce(sum(refunds.customer_fee_minor), 0) from refunds
        where refunds.provider = payments.provider
          and refunds.provider_payment_id = payments.provider_payment_id and refunds.status <> 'failed'))::bigint`.as(
      "customerFeeLeftMinor",
    ),
    "currency",
    "method",
    "status",
    "created_at as receivedAt",
    returnedMinorSql.as("goneMinor"),
  ]);

export async function findReceivedPayment(
  db: Db,
  { provider, providerPaymentId }: ProviderPaymentKey,
): Promise<ReceivedPayment | null> {
  const row = await received(db)
    .where("provider", "=", provider)
    .where("provider_payment_id", "=", providerPaymentId)
    .executeTakeFirst();
  return row ?? null;
}

/** Lists payments with a provider's id, at any provider. */
export function listReceivedPaymentsById(db: Db, providerPaymentId: string): Promise<ReceivedPayment[]> {
  return received(db).where("provider_payment_id", "=", providerPaymentId).execute();
}

/** The payments of a paid order: the one that completed it and the partial ones. */
export interface OrderPayments {
  orderId: OrderId;
  /** Newest first. */
  payments: (ReceivedPayment & { amountMinor: number })[];
  /** Amount paid beyond the invoice, whether refunded or not. */
  surplusMinor: number;
  /** The refunded part of the surplus. */
  returnedMinor: number;
}

const paidWith = (db: Db, orderIds: readonly OrderId[]) => {
  const orderId = sql.ref("payments.order_id");
  return received(db)
    .select([surplusOf(orderId).as("surplusMinor"), surplusReturnedOf(orderId).as("returnedMinor")])
    .where("order_id", "in", orderIds)
    .where((eb) =>
      eb.or([eb("status", "=", "captured"), eb.and([eb("status", "=", "part"), eb("problem", "is", null)])]),
    )
    .orderBy("created_at", "desc");
};

/** Lists the payments of each order that was paid; other orders are left out. */
export async function listOrderPayments(db: Db, orderIds: readonly OrderId[]): Promise<OrderPayments[]> {
  if (orderIds.length === 0) return [];
  const payments = await paidWith(db, orderIds).execute();
  return orderIds.flatMap((id) => {
    const [first, ...others] = payments.flatMap(({ amountMinor, ...payment }) =>
      payment.orderId === id && amountMinor !== null ? [{ ...payment, amountMinor }] : [],
    );
    if (first === undefined || ![first, ...others].some(({ status }) => status === "captured")) return [];
    const { surplusMinor, returnedMinor } = first;
    return [{ orderId: id, payments: [first, ...others], surplusMinor, returnedMinor }];
  });
}

/** SQL: an order's surplus in minor units. */
const surplusOf = (orderId: RawBuilder<unknown>) => sql<number>`(
  select coalesce(sum(proformas.surplus_minor), 0)::bigint from proformas where proformas.order_id = ${orderId})`;

const surplusReturnedOf = (orderId: RawBuilder<unknown>) => sql<number>`(
  select coalesce(sum(refunds.surplus_minor), 0)::bigint from refunds
  where refunds.order_id = ${orderId} and refunds.status <> 'failed')`;

/** Totals refunded and credited for an order. */
export interface OrderCreditTotals {
  /** The unrefunded part of the surplus. */
  surplusMinor: number;
  /** Refunds of invoiced amounts that did not fail. */
  refundedMinor: number;
  /** Sum of the valid credit notes. */
  creditedMinor: number;
}

export async function readOrderCreditTotals(trx: Trx, orderId: OrderId): Promise<OrderCreditTotals> {
  const id = sql`${orderId}`;
  const { rows } = await sql<OrderCreditTotals>`select
    ${surplusOf(id)} - ${surplusReturnedOf(id)} as "surplusMinor",
    ${refundedOf(id)} as "refundedMinor",
    ${creditedOf(id)} as "creditedMinor"`.execute(trx);
  const [found] = rows;
  if (found === undefined) throw new RangeError("A query without a row");
  return found;
}

/** Lists an order's payments, oldest first. */
export function listReceivedPayments(db: Db, orderId: OrderId): Promise<ReceivedPayment[]> {
  return received(db).where("order_id", "=", orderId).orderBy("created_at").execute();
}

/** Lists payments that count for no order and are not fully refunded, oldest first. */
export function listSurplus(db: Db, limit: number): Promise<ReceivedPayment[]> {
  return received(db)
    .where("status", "in", ["surplus", "mismatch"])
    .where("amount_minor", ">", returnedMinorSql)
    .orderBy("created_at")
    .limit(limit)
    .execute();
}

/** Totals paid, refunded, disputed and lost over the payments that completed an order. */
export interface OrderMoney {
  paidMinor: number;
  /** Refunds that did not fail. */
  refundedMinor: number;
  isDisputed: boolean;
  isLost: boolean;
}

export async function readOrderMoney(trx: Trx, orderId: OrderId): Promise<OrderMoney> {
  const ofPayment = (table: "refunds" | "disputes") =>
    sql`from ${sql.table(table)} as t join payments as p
      on p.provider = t.provider and p.provider_payment_id = t.provider_payment_id
      where t.order_id = ${orderId} and p.status in ('captured', 'part')`;
  const { rows } = await sql<OrderMoney>`select
    (select coalesce(sum(amount_minor), 0)::bigint from payments
      where order_id = ${orderId} and status in ('captured', 'part')) as "paidMinor",
    (select coalesce(sum(t.amount_minor), 0)::bigint ${ofPayment("refunds")} and t.status <> 'failed') as "refundedMinor",
    exists (select ${ofPayment("disputes")} and t.status in ('open', 'review', 'action')) as "isDisputed",
    exists (select ${ofPayment("disputes")} and t.status = 'lost') as "isLost"`.execute(trx);
  const [found] = rows;
  if (found === undefined) throw new RangeError("A query without a row");
  return found;
}
