/**
 * Certificates of tax that buyers withheld from a transfer (docs/providers.md, section 3.5): awaited once an order is paid
 * short, recorded by staff when they arrive, requested by mail once they are overdue.
 */

import {
  type AwaitedCertificate,
  insertCertificate,
  listAwaitedCertificates,
  markCertified,
  type TdsCertificate,
} from "#db/billing/tds-certificates.ts";
import { findMailKeys } from "#db/mail/mails.ts";
import { type Money, money } from "#db/money.ts";
import type { Db } from "#db/tables/index.ts";
import { findWithheldProforma } from "#server/billing/documents/proforma.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { type AuditActor, recordAudit } from "#server/foundation/audit.ts";
import { tdsCertificateDue } from "#server/foundation/countries/financial-year.ts";
import { gstCountry } from "#server/foundation/countries/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { queueMail } from "#server/foundation/outbox/mail.ts";
import { resolveOrderId } from "#server/fulfilment/attention.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { dateView, yearAndMonth } from "#server/orders/subscriptions/dates.ts";
import type { Context } from "#server/platform/context.ts";
import { toleranceMinor } from "./matching.ts";

const dayMs = 86_400_000;

export interface AwaitedTdsCertificate extends AwaitedCertificate {
  /** The amount without a certificate. */
  open: Money;
  /** Such as "2026-11-15". */
  due: string;
  isOverdue: boolean;
}

/** Lists the awaited certificates, longest awaited first. */
export async function awaitedCertificates(db: Db, now: Date): Promise<AwaitedTdsCertificate[]> {
  const today = dateView(now, gstCountry).iso;
  return (await listAwaitedCertificates(db, toleranceMinor + 1)).map((awaited) => {
    const due = tdsCertificateDue(yearAndMonth(awaited.paidAt, gstCountry));
    const open = money(awaited.withheldMinor - awaited.certifiedMinor, awaited.currency);
    return { ...awaited, open, due, isOverdue: today > due };
  });
}

/** Whether the withheld tax is certified, apart from rounding. @param openMinor amount without a certificate */
export function isCertified(openMinor: number): boolean {
  return openMinor <= toleranceMinor;
}

/**
 * Records a received certificate.
 * @param input.order the order's number or id
 * @returns the amount still without a certificate
 * @throws DomainError not_found; conflict for an order from which nothing, or less, was withheld, for an impossible day, and
 * for a number recorded for the order already; nothing changes then
 */
export async function recordCertificate(
  db: Db,
  input: TdsCertificate & AuditActor & { order: string; reason?: string },
  now: Date,
): Promise<Money> {
  const { number, dated, amountMinor, by, staffId, reason } = input;
  const orderId = await resolveOrderId(db, input.order);
  return db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    const refuse = (why: string) => new DomainError("conflict", why);
    const proforma = await findWithheldProforma(trx, orderId);
    if (proforma === null) throw refuse("No TDS was deducted from this order's payment.");
    if (dated > dateView(now, gstCountry).iso) throw refuse("The certificate date is in the future.");
    if (order.paidAt !== null && dated < dateView(order.paidAt, gstCountry).iso)
      throw refuse("The certificate date is before the transfer.");
    const amount = (minor: number) => money(minor, proforma.facts.currency);
    const openMinor = proforma.withheldMinor - proforma.certifiedMinor;
    const isNew = await insertCertificate(trx, proforma.number, { number, dated, amountMinor }, by);
    if (!isNew) throw refuse(`Certificate ${number} is already recorded for this order.`);
    if (amountMinor > openMinor + toleranceMinor)
      throw refuse(
        `The certificate is for ${formatMoney(amount(amountMinor))}, but only ${formatMoney(amount(openMinor))} is outstanding.`,
      );
    if (isCertified(openMinor - amountMinor)) await markCertified(trx, proforma.number);
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "order.certificate",
      subject: `order:${orderId}`,
      data: { number, dated, amountMinor, by, ...(reason !== undefined && { reason }) },
    });
    return amount(Math.max(0, openMinor - amountMinor));
  });
}

/** Days between the due date and the second reminder. After that, only the operator's list shows the certificate. */
const remindAgainDays = 30;

/** Mails buyers about overdue certificates. @returns how many mails were queued */
export async function sendCertificateReminders({ db }: Pick<Context, "db">, now: Date): Promise<number> {
  const overdue = (await awaitedCertificates(db, now))
    .filter(({ isOverdue }) => isOverdue)
    .map((awaited) => {
      const times = now.getTime() - Date.parse(awaited.due) > remindAgainDays * dayMs ? 2 : 1;
      return { ...awaited, dedupeKey: `certificate-due:${awaited.proforma}:${times}` };
    });
  const given = await findMailKeys(
    db,
    overdue.map(({ dedupeKey }) => dedupeKey),
  );
  let count = 0;
  for (const { orderId, userId, dedupeKey, due, open } of overdue) {
    const order = given.has(dedupeKey) ? null : await findOrder(db, orderId);
    if (order?.account == null) continue;
    const { email } = order.account;
    const isQueued = await db.transaction().execute((trx) =>
      queueMail(trx, {
        kind: "certificate-due",
        dedupeKey,
        recipient: email,
        userId,
        orderId,
        data: { withheld: formatMoney(open), due },
      }),
    );
    if (isQueued) count += 1;
  }
  return count;
}
