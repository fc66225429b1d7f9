/** Renderers for the thread of server/billing/documents/pdf-thread.ts. */
import { limitEgress } from "#server/foundation/security/egress.ts";

export { drawStatement } from "#server/billing/books/draw-statement.ts";
export { drawInvoice } from "#server/billing/documents/draw-invoice.ts";

// Rendering needs no network.
limitEgress({ hosts: [], mailServer: null });
