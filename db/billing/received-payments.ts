/** Queries on what has been received for orders, and on what is left of it after refunds. */
import { type RawBuilder, sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { PaymentAccount, PaymentRowStatus } from "#db/tables/payments.ts";
import { creditedOf, refundedOf } from "./credit-notes.ts";
import type { ProviderPaymentKey } from "./payment-keys.ts";

/** A payment that was received, and what of it is gone. */
export interface ReceivedPayment extends ProviderPaymentKey {
  orderId: OrderId;
  account: PaymentAccount;
  /** The order's money, without the customer's fee. Null while the provider has told no amount. */
  amountMinor: number | null;
  /** The part that has not gone back of the fee that the buyer paid on top, in minor units. */
  customerFeeLeftMinor: number;
  currency: string | null;
  /** The means that it was made with, in the provider's word; null where it told none. */
  method: string | null;
  status: PaymentRowStatus;
  receivedAt: Date;
  /** Refunds that did not fail, and what lost disputes took. */
  goneMinor: number;
}

/** What of a payment went back, in minor units: refunds that did not fail, and lost disputes. */
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

/** The payments with a provider's id, at whichever provider. */
export function listReceivedPaymentsById(db: Db, providerPaymentId: string): Promise<ReceivedPayment[]> {
  return received(db).where("provider_payment_id", "=", providerPaymentId).execute();
}

/** What an order was paid with: the payment that completed it, and those that came before or made up for what was withheld. */
export interface OrderPayments {
  orderId: OrderId;
  /** The newest first. */
  payments: (ReceivedPayment & { amountMinor: number })[];
  /** What was paid beyond the invoice, whether it was given back or not. */
  surplusMinor: number;
  /** What of the surplus was given back. */
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

/** @returns an entry for each order that was paid */
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

/** In minor units. */
const surplusOf = (orderId: RawBuilder<unknown>) => sql<number>`(
  select coalesce(sum(proformas.surplus_minor), 0)::bigint from proformas where proformas.order_id = ${orderId})`;

const surplusReturnedOf = (orderId: RawBuilder<unknown>) => sql<number>`(
  select coalesce(sum(refunds.surplus_minor), 0)::bigint from refunds
  where refunds.order_id = ${orderId} and refunds.status <> 'failed')`;

/** What of an order's invoice went back, and was credited. */
export interface OrderCreditTotals {
  /** What was paid beyond the invoice and has not been given back. */
  surplusMinor: number;
  /** Refunds of what was invoiced that did not fail. */
  refundedMinor: number;
  /** Credit notes that hold. */
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

/** An order's payments, oldest first. */
export function listReceivedPayments(db: Db, orderId: OrderId): Promise<ReceivedPayment[]> {
  return received(db).where("order_id", "=", orderId).orderBy("created_at").execute();
}

/** Payments that no order uses, of which something is left, the oldest first. */
export function listSurplus(db: Db, limit: number): Promise<ReceivedPayment[]> {
  return received(db)
    .where("status", "in", ["surplus", "mismatch"])
    .where("amount_minor", ">", returnedMinorSql)
    .orderBy("created_at")
    .limit(limit)
    .execute();
}

/** What became of the payment that an order was completed with, and of the parts that came before it. */
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
