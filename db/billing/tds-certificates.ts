/** Queries on certificates of tax that buyers withheld from a transfer: received and awaited ones. */
import { sql } from "kysely";
import type { UserId } from "#db/ids.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { NumberedOrder } from "./reconciliation.ts";

export interface TdsCertificate {
  number: string;
  /** "2026-11-24" */
  dated: string;
  amountMinor: number;
}

/** Inserts a certificate. @returns false when the proforma already has one with this number */
export async function insertCertificate(
  trx: Trx,
  proformaNumber: string,
  { number, dated, amountMinor }: TdsCertificate,
  bookedBy: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("tds_certificates")
    .values({
      proforma_number: proformaNumber,
      number,
      dated,
      amount_minor: amountMinor,
      booked_by: bookedBy,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Records that no further certificate is awaited for a proforma. */
export async function markCertified(trx: Trx, proformaNumber: string): Promise<void> {
  await trx.updateTable("proformas").set({ certified: true }).where("number", "=", proformaNumber).execute();
}

/** Tax withheld from an order's transfer without a certificate for the full amount. */
export interface AwaitedCertificate extends NumberedOrder {
  userId: UserId | null;
  proforma: string;
  currency: Currency;
  /** Time at which the order was paid. */
  paidAt: Date;
  withheldMinor: number;
  /** The certified part. */
  certifiedMinor: number;
}

/** Lists the awaited certificates, longest awaited first. @param leastMinor smaller missing amounts are left out */
export async function listAwaitedCertificates(db: Db, leastMinor: number): Promise<AwaitedCertificate[]> {
  const { rows } = await sql<AwaitedCertificate>`
    with awaited as materialized (
      select number, order_id, withheld_minor from proformas where withheld_minor > 0 and not certified
    )
    select o.id as "orderId", o.user_id as "userId", o.number, o.created_at as "createdAt", f.number as proforma,
           o.currency, o.paid_at as "paidAt", f.withheld_minor as "withheldMinor", coalesce(c.minor, 0) as "certifiedMinor"
    from awaited f
    join orders o on o.id = f.order_id
    left join (
      select proforma_number, sum(amount_minor)::bigint as minor from tds_certificates
      where proforma_number in (select number from awaited) group by proforma_number
    ) c on c.proforma_number = f.number
    where o.paid_at is not null and f.withheld_minor - coalesce(c.minor, 0) >= ${leastMinor}
    order by o.paid_at, f.number`.execute(db);
  return rows;
}
