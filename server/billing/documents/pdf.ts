/** Draws an invoice, a credit note, a quote or a proforma as a PDF. */
import type { drawInvoice } from "./draw-invoice.ts";
import { inPdfThread } from "./pdf-thread.ts";

export const invoicePdf = inPdfThread<typeof drawInvoice>("drawInvoice");
