/**
 * Every captured payment is matched with a payout, every licence with a line of its vendor's bill, and every document with its money.
 * The rest are differences, which stay until they are gone or somebody acknowledges them (docs/decisions/books.md#reconciliation).
 */
import {
  acknowledgeDiscrepancy,
  claimUnreported,
  type Discrepancy,
  listOpenDiscrepancies,
  type StoredDiscrepancy,
  saveDiscrepancies,
} from "#db/billing/reconciliation.ts";
import { matchBillLines } from "#db/billing/vendor-bills.ts";
import { type AuditActor, recordAudit } from "#server/foundation/audit.ts";
import { FileError } from "#server/foundation/file-text.ts";
import { queueOperatorVendorAlert } from "#server/foundation/outbox/mail.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { billedAccounts, readBills } from "./bills.ts";
import { daysLater, monthBefore, utcDay, utcMonth } from "./days.ts";
import { findInDocuments, findInPayouts, findUncertified } from "./money.ts";
import { readSettlements, settlementAccounts } from "./settlements.ts";
import { findInBills } from "./vendors.ts";

/** Finds discrepancies in the stored data, and stores them. @returns those that are open and not acknowledged */
export async function findDiscrepancies(context: Context, now: Date): Promise<StoredDiscrepancy[]> {
  const { db } = context;
  // A bill may arrive before the order that it bills is fulfilled.
  await db.transaction().execute(matchBillLines);
  const found: Discrepancy[] = [
    ...(await findInPayouts(context, now)),
    ...(await findInDocuments(context)),
    ...(await findUncertified(context, now)),
    ...(await findInBills(context)),
  ];
  await db.transaction().execute((trx) => saveDiscrepancies(trx, found, now));
  return listOpenDiscrepancies(db);
}

/** Mails the operator about new discrepancies, at most once a day; later ones are in the next day's mail. */
export async function notifyOperatorOfDiscrepancies({ db }: Context, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const fresh = await claimUnreported(trx, now);
    if (fresh.length === 0) return;
    const isQueued = await queueOperatorVendorAlert(trx, {
      dedupeKey: `money-differences:${utcDay(now)}`,
      subject: `${fresh.length} new discrepancies`,
      what: fresh.map(({ key, what }) => `${key}\n${what}`).join("\n\n"),
      toDo: ["See all discrepancies in Desk, under Money, and acknowledge those that need no correction."],
    });
    if (!isQueued) throw new ReportedTodayError();
  });
}

/** Thrown to roll back the claim of the discrepancies when today's mail was queued before. */
class ReportedTodayError extends Error {}

/** Days after the end of a month until vendors' bills are complete. */
const billDays = 8;
/** Number of months to read, because a bill may come late. */
const monthsLookedAt = 2;

/**
 * Runs the daily reconciliation: reads payouts and bills, compares, and mails the operator about new discrepancies.
 * @throws ProviderError when a provider did not answer, and Error while a vendor prepares a bill, after everything else is done
 */
export async function reconcile(context: Context, now = new Date()): Promise<void> {
  const failures: ProviderError[] = [];
  let awaited = 0;
  const unless = async (failure: string, of: Record<string, string>, act: () => Promise<unknown>) => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof FileError)) throw error;
      const description = error instanceof ProviderError ? error.description : undefined;
      context.log.warn({ err: error, description, ...of }, failure);
      if (error instanceof ProviderError && error.kind === "transient") failures.push(error);
      else await tellOfRefusal(context, { failure, of, why: description ?? error.message, now });
    }
  };
  for (const account of settlementAccounts(context))
    await unless(
      "payouts could not be read",
      { provider: account.provider, account: account.account ?? "" },
      () => readSettlements(context, account, now),
    );
  for (const month of monthsToRead(now)) {
    for (const billed of billedAccounts(context)) {
      const { family, account } = billed;
      await unless("a vendor's bills could not be read", { family, account, month }, async () => {
        awaited += (await readBills(context, billed, month)).awaited;
      });
    }
  }
  await findDiscrepancies(context, now);
  await notifyOperatorOfDiscrepancies(context, now).catch((error: unknown) => {
    if (!(error instanceof ReportedTodayError)) throw error;
  });
  const [first] = failures;
  if (first !== undefined) throw first;
  // The queue retries with growing delays.
  if (awaited > 0) throw new Error(`Vendors prepare ${awaited} bills`);
}

/** Alerts the operator once a month about a failure that a retry does not fix, because unread data is never compared. */
async function tellOfRefusal(
  { db }: Context,
  { failure, of, why, now }: { failure: string; of: Record<string, string>; why: string; now: Date },
): Promise<void> {
  const about = Object.values(of).join(" ");
  await db.transaction().execute((trx) =>
    queueOperatorVendorAlert(trx, {
      dedupeKey: `not-compared:${about}:${utcMonth(now)}`,
      subject: `Not compared: ${about}`,
      what: `${failure} (${about}): ${why}`,
      toDo: [
        "Until it's read, it isn't included in the comparison.",
        'You can download and import the bill manually: see "The books differ" in docs/operate/runbooks.md.',
      ],
    }),
  );
}

function monthsToRead(now: Date): string[] {
  const last = monthBefore(utcMonth(daysLater(now, 1 - billDays)));
  const months = [last];
  for (let count = 1; count < monthsLookedAt; count += 1) months.unshift(monthBefore(months[0] ?? last));
  return months;
}

/**
 * Acknowledges a discrepancy that needs no correction. It reopens if its amount changes.
 * @returns false when there is no open discrepancy with this key
 */
export async function acknowledgeByStaff(
  { db }: Pick<Context, "db">,
  key: string,
  { because, by, staffId, now }: { because: string; now: Date } & AuditActor,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await acknowledgeDiscrepancy(trx, key, { because, now }))) return false;
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "difference.acknowledge",
      subject: `difference:${key}`,
      data: { because, by },
    });
    return true;
  });
}
