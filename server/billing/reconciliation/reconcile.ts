/**
 * Every captured payment is matched with a payout, every licence with a line of its vendor's bill, and every document with its money.
 * What is left over is a difference, which stays until it is gone or somebody acknowledges it (docs/decisions/reconciliation.md).
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

/** Looks for differences in what is stored, and stores them. @returns those that are open and not acknowledged */
export async function findDiscrepancies(context: Context, now: Date): Promise<StoredDiscrepancy[]> {
  const { db } = context;
  // A bill may come before the order of what it bills is done.
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

/** Mails the operator about what is new, at most once a day: what turns up later is in the next day's mail. */
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

/** Undoes that they were told. */
class ReportedTodayError extends Error {}

/** Vendors' bills of a month are complete about a week after it. */
const billDays = 8;
/** A bill may come late. */
const monthsLookedAt = 2;

/**
 * The daily run: reads what was paid out and billed, compares, and tells the operator of what is new.
 * @throws ProviderError when somebody did not answer, and Error while a vendor prepares a bill, after all else was done
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
  // The queue tries again, later and later.
  if (awaited > 0) throw new Error(`Vendors prepare ${awaited} bills`);
}

/** What a retry does not mend needs a person, or what is not read is never compared. Told once a month. */
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
 * Takes a difference off the list, because it is right as it is. It comes back if its amount changes.
 * @returns false when there is no open difference with this key
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
