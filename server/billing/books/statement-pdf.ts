/** Draws a statement of account as a PDF. */
import { inPdfThread } from "#server/billing/documents/pdf-thread.ts";
import type { drawStatement } from "./draw-statement.ts";

/** Longer statements are refused: drawing this many lines takes a second, for which other PDFs wait. */
export const maxStatementLines = 1_000;

export const statementPdf = inPdfThread<typeof drawStatement>("drawStatement");
