/** What the thread of server/documents/pdf-thread.ts draws. */
export { drawStatement } from "#server/books/draw-statement.ts";
export { drawInvoice } from "#server/documents/draw-invoice.ts";
