/**
 * Queries on the payouts of payment providers, and on our payments and refunds that are missing in them. One payout may cover
 * several providers, because transfers reach us through the company of the checkout, so lines are matched by payment id only.
 */
import { sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { PaymentAccount, PaymentProviderId } from "#db/tables/payments.ts";
import type { SettlementKind } from "#db/tables/reconciliation.ts";
import type { ProviderAccount } from "./payment-keys.ts";
import type { NumberedOrder } from "./reconciliation.ts";

/** A line of a payout, in minor units of its currency. */
export interface SettlementLine {
  /** The provider's id of the payment or refund. */
  entityId: string;
  settlementId: string;
  kind: SettlementKind;
  /** The payment it belongs to; null when there is none. */
  providerPaymentId: string | null;
  /** The dispute that took or returned the money; null when there is none. */
  providerDisputeId: string | null;
  /** ISO 4217. */
  currency: string;
  /** Before the fee. */
  amountMinor: number;
  creditMinor: number;
  debitMinor: number;
  /** Includes the tax on the fee. */
  feeMinor: number;
  taxMinor: number;
  /** The bank's reference of the payout (UTR). */
  bankReference: string | null;
  settledAt: Date;
}

export interface StoredSettlementLine extends SettlementLine, ProviderAccount {}

/** Stores lines, each once. @returns how many were new */
export async function saveSettlementLines(
  trx: Trx,
  { provider, account }: ProviderAccount,
  lines: readonly SettlementLine[],
): Promise<number> {
  if (lines.length === 0) return 0;
  const rows = await trx
    .insertInto("settlement_lines")
    .values(
      lines.map((line) => ({
        provider,
        account,
        entity_id: line.entityId,
        settlement_id: line.settlementId,
        kind: line.kind,
        provider_payment_id: line.providerPaymentId,
        provider_dispute_id: line.providerDisputeId,
        currency: line.currency,
        amount_minor: line.amountMinor,
        credit_minor: line.creditMinor,
        debit_minor: line.debitMinor,
        fee_minor: line.feeMinor,
        tax_minor: line.taxMinor,
        bank_reference: line.bankReference,
        settled_at: line.settledAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning("entity_id")
    .execute();
  return rows.length;
}

/** Records that all lines of a day are stored. @param day "2026-11-24" */
export async function markDayRead(
  db: Db,
  { provider, account }: ProviderAccount,
  day: string,
): Promise<void> {
  await db
    .insertInto("settlement_days")
    .values({ provider, account, day })
    .onConflict((conflict) =>
      conflict.columns(["provider", "account", "day"]).doUpdateSet({ read_at: sql<Date>`now()` }),
    )
    .execute();
}

/** Finds the first and the last day of which all lines of an account are stored; null when there is none. */
export async function readDayRange(
  db: Db,
  { provider, account }: ProviderAccount,
): Promise<{ first: string; last: string } | null> {
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select min(day)::text as first, max(day)::text as last from settlement_days
    where provider = ${provider} and account is not distinct from ${account}`.execute(db);
  const [row] = rows;
  return row?.first == null || row.last === null ? null : { first: row.first, last: row.last };
}

/** Finds the time of an account's first payment; null without one. */
export async function firstPaymentAt(db: Db, { provider, account }: ProviderAccount): Promise<Date | null> {
  const row = await db
    .selectFrom("payments")
    .select("settled_at")
    .where("provider", "=", provider)
    .where(sql<boolean>`account is not distinct from ${account}`)
    .where("settled_at", "is not", null)
    .orderBy("settled_at")
    .limit(1)
    .executeTakeFirst();
  return row?.settled_at ?? null;
}

/** A payment or refund that is in no payout yet. */
export interface UnsettledMoney extends NumberedOrder {
  provider: PaymentProviderId;
  account: PaymentAccount;
  /** The provider's id of the payment or refund. */
  entityId: string;
  amountMinor: number;
  currency: Currency;
  at: Date;
}

/** The first day of which an account's payouts were read, computed once instead of per payment. */
const readSince = sql`(select account, min(day) as day from settlement_days group by account)`;

/**
 * Lists payments that were captured since payouts are read, and are in none. Includes payments that count for no order but have
 * its currency, because we keep them until a person refunds them.
 */
export async function listUnsettledPayments(db: Db): Promise<UnsettledMoney[]> {
  const { rows } = await sql<UnsettledMoney>`
    select p.provider, p.account, p.provider_payment_id as "entityId", o.id as "orderId",
           o.number, o.created_at as "createdAt", p.amount_minor as "amountMinor", o.currency, p.settled_at as at
    from payments p join orders o on o.id = p.order_id
    join ${readSince} s on s.account is not distinct from p.account and p.settled_at >= s.day
    where (p.status in ('captured', 'part', 'surplus', 'refunded') or (p.status = 'mismatch' and p.currency = o.currency))
      and p.settled_at is not null and p.amount_minor is not null
      and not exists (
        select from settlement_lines l
        where l.entity_id = p.provider_payment_id)
    order by p.settled_at`.execute(db);
  return rows;
}

/** Lists refunds that were processed since payouts are read, and are in none. */
export async function listUnsettledRefunds(db: Db): Promise<UnsettledMoney[]> {
  const { rows } = await sql<UnsettledMoney>`
    select r.provider, p.account, r.provider_refund_id as "entityId", o.id as "orderId",
           o.number, o.created_at as "createdAt", r.amount_minor as "amountMinor", r.currency, r.updated_at as at
    from refunds r join orders o on o.id = r.order_id
    join payments p on p.provider = r.provider and p.provider_payment_id = r.provider_payment_id
    join ${readSince} s on s.account is not distinct from p.account and r.updated_at >= s.day
    where r.status = 'processed' and r.provider_refund_id is not null
      and not exists (
        select from settlement_lines l
        where l.entity_id = r.provider_refund_id)
    order by r.updated_at`.execute(db);
  return rows;
}

/** A line of a payout with our record of its payment, refund or dispute. */
export interface SettledLine extends StoredSettlementLine {
  /** Our record of the payment, refund or dispute; null when it is unknown here. */
  ours: { orderId: OrderId; amountMinor: number | null; currency: string | null } | null;
}
