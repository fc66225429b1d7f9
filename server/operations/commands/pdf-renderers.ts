/** What the thread of server/billing/documents/pdf-thread.ts draws. */
import { limitEgress } from "#server/foundation/security/egress.ts";

export { drawStatement } from "#server/billing/books/draw-statement.ts";
export { drawInvoice } from "#server/billing/documents/draw-invoice.ts";

// A drawing needs no network.
limitEgress({ hosts: [], mailServer: null });
