/** A statement of account as a PDF. */
import { inPdfThread } from "#server/billing/documents/pdf-thread.ts";
import type { drawStatement } from "./draw-statement.ts";

/** A longer one is refused: drawing this one takes a second, in which other PDFs wait. */
export const maxStatementLines = 1_000;

export const statementPdf = inPdfThread<typeof drawStatement>("drawStatement");
