/** A company's invoices and credit notes: as pages of a list, and as the files of a year. */
import {
  type BookDocument,
  type BooksOwner,
  countBookDocuments,
  listBookDocuments,
  type TimeRange,
} from "#db/billing/books.ts";
import { cursorText, parseTextCursor } from "#db/keyset.ts";
import { type Money, money } from "#db/money.ts";
import type { Db } from "#db/tables/index.ts";
import { maxDocumentsInZip, streamDocumentZip } from "#server/billing/documents/document-zip.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import type { ListPage } from "#server/foundation/list-paging.ts";

/** As a list shows it: the total of a credit note is below nothing. */
export type BooksDocument = Omit<BookDocument, "facts" | "totalMinor" | "currency"> & { total: Money };

const pageSize = 30;
/** Read at once for a file: each has its facts with it. */
const batch = 200;

/**
 * The documents of a time, the oldest first.
 * @param page the `nextPage` of the page before; null for the first
 * @throws DomainError bad_request for an invalid page
 */
export async function listDocumentsOf(
  db: Db,
  owner: BooksOwner,
  span: TimeRange,
  page: string | null,
): Promise<ListPage<BooksDocument>> {
  const after = page === null ? null : parseTextCursor(page);
  if (page !== null && after === null) throw new DomainError("bad_request", msg("lists.noSuchPage"));
  const { rows, next } = await listBookDocuments(db, owner, span, { after, limit: pageSize });
  const shown = rows.map(({ facts: _facts, totalMinor, currency, ...document }) => ({
    ...document,
    total: money(document.kind === "credit-note" ? -totalMinor : totalMinor, currency),
  }));
  return { rows: shown, nextPage: next === null ? null : cursorText(next) };
}

/** All documents of a time, read in parts, so that memory holds one of them. */
export async function* everyDocumentOf(
  db: Db,
  owner: BooksOwner,
  span: TimeRange,
): AsyncGenerator<BookDocument> {
  let after: Parameters<typeof listBookDocuments>[3]["after"] = null;
  do {
    const { rows, next } = await listBookDocuments(db, owner, span, { after, limit: batch });
    yield* rows;
    after = next;
  } while (after !== null);
}

/** Whether a zip may hold all documents of a time; one with more is asked for by the month. */
export async function fitsInZip(db: Db, owner: BooksOwner, span: TimeRange): Promise<boolean> {
  return (await countBookDocuments(db, owner, span)) <= maxDocumentsInZip;
}

/**
 * The PDFs of a time in one zip.
 * @throws DomainError not_found for none, bad_request for more than a zip holds, busy while others are being made
 */
export async function* documentsZip(
  db: Db,
  owner: BooksOwner,
  span: TimeRange,
  now: Date,
): AsyncGenerator<Uint8Array> {
  const count = await countBookDocuments(db, owner, span);
  if (count === 0) throw new DomainError("not_found", msg("books.nothing"));
  if (count > maxDocumentsInZip)
    throw new DomainError("bad_request", msg("books.tooMany", { most: maxDocumentsInZip }));
  yield* streamDocumentZip(db, everyDocumentOf(db, owner, span), now);
}
