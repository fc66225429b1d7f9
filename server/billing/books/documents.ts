/** A company's invoices and credit notes: as pages of a list, and as files of a year. */
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

/** A document in a list; the total of a credit note is negative. */
export type BooksDocument = Omit<BookDocument, "facts" | "totalMinor" | "currency"> & { total: Money };

const pageSize = 30;
/** Documents read at once for a file; each includes its facts. */
const batch = 200;

/**
 * Lists a page of the documents of a period, oldest first.
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

/** Iterates over all documents of a period, read in batches to limit memory. */
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

/** Whether one zip may hold all documents of a period; a longer one is split by month. */
export async function fitsInZip(db: Db, owner: BooksOwner, span: TimeRange): Promise<boolean> {
  return (await countBookDocuments(db, owner, span)) <= maxDocumentsInZip;
}

/**
 * Streams the PDFs of a period as one zip.
 * @throws DomainError not_found without documents, bad_request for more than a zip may hold, busy while other zips are being
 * created
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
