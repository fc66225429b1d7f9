/** GSTR-1 for finance staff: each registration's return of a month, its sums, and its documents with their problems. */

import { money } from "#db/money.ts";
import type { Db } from "#db/tables/index.ts";
import { buildReturns, type GstReturn } from "#server/billing/documents/gstr1/build.ts";
import {
  type DocumentInReturn,
  documentsInReturn,
  returnSections,
} from "#server/billing/documents/gstr1/sections.ts";
import { monthBefore } from "#server/billing/reconciliation/days.ts";
import { formatExact } from "#server/catalogue/pricing/format.ts";
import { currencyOf, gstCountry } from "#server/foundation/countries/registry.ts";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { type FileInZip, zipOf } from "#server/foundation/zip.ts";
import { zonedMonth } from "#server/orders/subscriptions/dates.ts";
import type { Context } from "#server/platform/context.ts";

/** Returns the month whose return is due now: the previous one. */
export function dueReturnMonth(now: Date): string {
  return monthBefore(zonedMonth(now, gstCountry));
}

/**
 * Returns the day by which a monthly filer must file a month's return (notification 83/2020, Central Tax): the 11th of the next
 * month.
 */
export function returnDueDay(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 11)).toISOString().slice(0, 10);
}

export interface StaffReturn {
  gstin: string;
  count: number;
  sections: {
    title: string;
    file: string;
    entries: number;
    taxable: string;
    igst: string;
    cgst: string;
    sgst: string;
    tax: string;
  }[];
  /** Number of all documents with problems, whether they are shown or not. */
  problems: number;
  documents: {
    number: string;
    path: string;
    kind: string;
    day: string;
    place: string;
    buyer: string;
    gstin: string | null;
    total: string;
    problem: string | null;
  }[];
  /** Document after which the next page begins; null on the last page. */
  next: string | null;
}

const pageSize = 100;

/**
 * @param asked.all whether documents without a problem are shown too
 * @param asked.from the last document of the page before, of the registration `gstin`
 * @returns the returns of the month, and the documents that belong to none, because they are without GST
 */
export async function readReturns(
  { db, env }: Pick<Context, "db" | "env">,
  { month, all, gstin, from }: { month: string; all: boolean; gstin: string | null; from: string | null },
): Promise<{ returns: StaffReturn[]; withoutGst: number }> {
  const { returns, withoutGst } = await buildReturns(db, month);
  return {
    returns: await Promise.all(
      returns.map(async (each) => {
        const documents = await documentsInReturn(db, env, each);
        const wrong = documents.filter(({ problem }) => problem !== null);
        const listed = all ? documents : wrong;
        const start = each.gstin === gstin ? listed.findIndex(({ number }) => number === from) + 1 : 0;
        const shown = listed.slice(start, start + pageSize);
        return {
          gstin: each.gstin,
          count: each.documents.length,
          sections: returnSections(each.table).map(({ title, file, entries, sums }) => ({
            title,
            file,
            entries,
            taxable: inRupees(sums?.taxableMinor),
            igst: inRupees(sums?.igstMinor),
            cgst: inRupees(sums?.cgstMinor),
            sgst: inRupees(sums?.sgstMinor),
            tax: inRupees(sums === null ? undefined : sums.igstMinor + sums.cgstMinor + sums.sgstMinor),
          })),
          problems: wrong.length,
          documents: shown.map(viewOf),
          next: start + pageSize < listed.length ? (shown.at(-1)?.number ?? null) : null,
        };
      }),
    ),
    withoutGst: withoutGst.length,
  };
}

function viewOf({
  number,
  kind,
  day,
  place,
  figures,
  problem,
}: DocumentInReturn): StaffReturn["documents"][number] {
  return {
    number,
    path: paths.deskDocument(number),
    kind,
    day,
    place,
    buyer: figures?.buyerName ?? "",
    gstin: figures?.buyerGstin ?? null,
    total: inRupees(figures?.totalMinor),
    problem,
  };
}

/** Formats an amount in rupees, the currency of the whole return. */
function inRupees(minor: number | undefined): string {
  return minor === undefined ? "" : formatExact(money(minor, currencyOf(gstCountry)));
}

/** File name of the zip of all files of a return. */
export const allFiles = "gstr1.zip";

/**
 * Returns the files of a return, byte for byte as `npm run gstr1` writes them.
 * @throws DomainError not_found for a month in which nothing was issued under the registration
 */
export async function returnFiles(
  db: Db,
  { month, gstin }: { month: string; gstin: string },
): Promise<GstReturn["files"]> {
  const { returns } = await buildReturns(db, month);
  const found = returns.find((each) => each.gstin === gstin);
  if (found === undefined) throw notFound();
  return found.files;
}

/** Puts them in a separate folder, as `npm run gstr1` does. */
export function zipOfReturn(
  files: GstReturn["files"],
  { month, gstin, now }: { month: string; gstin: string; now: Date },
): AsyncGenerator<Uint8Array> {
  async function* each(): AsyncGenerator<FileInZip> {
    for (const [name, text] of files)
      yield { name: `${gstin}-${month}/${name}`, at: now, bytes: new TextEncoder().encode(text) };
  }
  return zipOf(each());
}
