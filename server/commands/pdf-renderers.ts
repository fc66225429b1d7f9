/** What the thread of server/documents/pdf-thread.ts draws. */
import { limitEgress } from "#server/security/egress.ts";

export { drawStatement } from "#server/books/draw-statement.ts";
export { drawInvoice } from "#server/documents/draw-invoice.ts";

// A drawing needs no network.
limitEgress({ hosts: [], mailServer: null });
