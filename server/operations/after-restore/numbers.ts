/**
 * Numbers after a restore. The database has lost the documents issued since, and their numbers must not be issued again. Each
 * payment captured since has at most one invoice, and each refund at most one credit note, so that many serials are left out.
 */
import {
  hasAuditEntry,
  hasSeries,
  type SkippedSerials,
  skipOrderNumbers,
  skipSerials,
} from "#db/platform/after-restore.ts";
import type { Country } from "#db/tables/enums.ts";
import {
  creditNoteSeriesOf,
  proformaSeriesOf,
  quoteSeriesOf,
  seriesOf,
} from "#server/billing/documents/number.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { countryCodes } from "#server/foundation/countries/registry.ts";
import { supplyOf } from "#server/orders/supply.ts";
import type { Context } from "#server/platform/context.ts";
import type { UnrecordedMoney } from "./unrecorded-payments.ts";

/** More than are begun in any gap that an operator recovers: orders, and proformas or quotes. Their numbers may have gaps. */
const orders = 10_000;
const openDocuments = 1_000;
const action = "store.skip-numbers";

/**
 * Runs once per moment of a restore, however often it is called.
 * @returns the left-out serials of invoices and credit notes, which have to be explained to an auditor; null when an earlier run
 * left
 *   them out
 */
export async function skipNumbers(
  { db, env }: Context,
  gap: UnrecordedMoney,
  { restoredTo, by, now }: { restoredTo: Date; by: string; now: Date },
): Promise<SkippedSerials[] | null> {
  const subject = `restore:${restoredTo.toISOString()}`;
  return db.transaction().execute(async (trx) => {
    if (await hasAuditEntry(trx, action, subject)) return null;
    const skipped: SkippedSerials[] = [];
    for (const country of countryCodes) {
      const isGst = supplyOf(env.sellers, country, null, now) !== null;
      const invoices = gap.payments.filter(({ account }) => isOf(account, country)).length;
      const creditNotes = gap.refunds.filter(({ account }) => isOf(account, country)).length;
      // A year may have ended in between.
      for (const at of [restoredTo, now]) {
        const wanted = [
          { series: seriesOf(country, at, { isGst }), count: invoices },
          { series: creditNoteSeriesOf(country, at, { isGst }), count: creditNotes },
        ];
        for (const { series, count } of wanted)
          if (count > 0 && !skipped.some((one) => one.series === series))
            skipped.push(await skipSerials(trx, series, count));
        if (at !== now) continue;
        for (const series of [
          proformaSeriesOf(country, at, { isGst }),
          quoteSeriesOf(country, at, { isGst }),
        ])
          if (await hasSeries(trx, series)) await skipSerials(trx, series, openDocuments);
      }
    }
    await skipOrderNumbers(trx, orders);
    const said = skipped.map(({ series, first, last }) => `${series} ${first} to ${last}`).join(", ");
    await recordAudit(trx, { userId: null, action, subject, data: { by, skipped: said } });
    return skipped;
  });
}

/** Whether the account takes the country's payments; the former account took every country's. */
function isOf(account: Country | null, country: Country): boolean {
  return account === null || account === country;
}
