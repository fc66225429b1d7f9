/** Many documents as PDFs in one zip. Each is read, drawn and handed on before the next is begun, so that memory holds one of them. */
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

/** More are refused: a period of them is asked for instead. */
export const maxDocumentsInZip = 1_000;
/** That are made at the same time in a process. */
const maxConcurrent = 2;

let beingMade = 0;

/** What `list.csv` says of a document. */
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
 * A PDF for each document that may be handed out, by the names they have by themselves, and `list.csv`, which says of each document
 * which file it is, or why it is none.
 * @throws DomainError busy, before the first piece, while others are being made
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

/** A document's PDF by the name that it has by itself, or why there is none; and the day that it has on it, null for no document. */
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
