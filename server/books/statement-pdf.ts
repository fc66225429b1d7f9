/** A statement of account as a PDF. */
import { drawnAside } from "#server/documents/pdf-thread.ts";
import type { drawStatement } from "./draw-statement.ts";

/** A longer one is refused: its letters would be shaped for a minute. */
export const mostLines = 1_000;

export const statementPdf = drawnAside<typeof drawStatement>("drawStatement");
