/** Streams many documents as PDFs in one zip. Each is read, drawn and sent before the next one, so that only one is in memory. */
import type { DocumentKind } from "#db/billing/documents.ts";
import { money } from "#db/money.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { csvHeader, csvLine } from "#server/foundation/csv.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { type FileInZip, zipOf } from "#server/foundation/zip.ts";
import { openDocument } from "./open-document.ts";
import { invoicePdf } from "./pdf.ts";

/** Larger requests are refused, in favour of a shorter period. */
export const maxDocumentsInZip = 1_000;
/** Maximum number of zips that one process creates concurrently. */
const maxConcurrent = 2;

let beingMade = 0;

/** A document's fields in `list.csv`. */
export interface ZippedDocument {
  kind: DocumentKind;
  number: string;
  issuedAt: Date;
  buyer: string;
  gstin: string | null;
  totalMinor: number;
  currency: Currency;
}

type Documents = readonly ZippedDocument[] | AsyncIterable<ZippedDocument>;

/**
 * Streams a PDF per document that may be handed out, under its usual file name, and `list.csv`, which maps each document to its
 * file or the reason why it has none.
 * @throws DomainError busy, before the first chunk, while other zips are being created
 */
export async function* streamDocumentZip(
  db: Db,
  documents: Documents,
  now: Date,
): AsyncGenerator<Uint8Array> {
  if (beingMade >= maxConcurrent) throw new DomainError("busy", msg("books.busy"), { retryAfterSeconds: 60 });
  beingMade += 1;
  try {
    yield* zipOf(bundledFiles(db, documents, now));
  } finally {
    beingMade -= 1;
  }
}

async function* bundledFiles(db: Db, documents: Documents, now: Date): AsyncGenerator<FileInZip> {
  const lines = [
    csvHeader(["number", "kind", "issued", "buyer", "gstin", "total", "currency", "file", "why not"]),
  ];
  for await (const document of documents) {
    const { number, kind, buyer, gstin, totalMinor, currency } = document;
    const { day, file, whyNot } = await documentFile(db, document);
    const total = money(totalMinor, currency);
    lines.push(csvLine([number, kind, day, buyer, gstin, total, currency, file?.name ?? null, whyNot]));
    if (file !== null) yield file;
  }
  yield { name: "list.csv", at: now, bytes: new TextEncoder().encode(lines.join("")) };
}

/**
 * Draws a document's PDF under its usual file name, or returns the reason why it has none; and the printed day, null for an
 * unknown document.
 */
export async function documentFile(
  db: Db,
  { number, issuedAt }: Pick<ZippedDocument, "number" | "issuedAt">,
): Promise<{ day: string | null; file: FileInZip | null; whyNot: string | null }> {
  const opened = await openDocument(db, number);
  const view = opened?.notHandedOut === null ? opened.view : null;
  const whyNot = opened?.notHandedOut ?? null;
  const day = opened?.day ?? null;
  if (view === null) return { day, file: null, whyNot };
  return {
    day,
    file: { name: view.fileName, at: issuedAt, bytes: await invoicePdf(view, issuedAt) },
    whyNot,
  };
}
