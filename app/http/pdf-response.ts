/** PDF responses, drawn per request. */
import { invoicePdf } from "#server/billing/documents/pdf.ts";
import { drawnInTurn } from "#server/billing/documents/pdf-thread.ts";
import type { InvoiceView } from "#server/billing/documents/view.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import { isDeskPath } from "./language.ts";
import { enforceRateLimit, rateLimits } from "./rate-limits.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Draws a PDF and returns it as a download.
 * @param draw a function such as invoicePdf
 * @param at date written into the file: the same view and date give the same bytes
 * @throws DomainError rate_limited for a network with too many requests; busy while many PDFs wait to be drawn
 */
export async function pdfResponse<View extends { fileName: string }>(
  request: RequestContext,
  draw: (view: View, at: Date) => Promise<Uint8Array<ArrayBuffer>>,
  view: View,
  at: Date,
): Promise<Response> {
  // Desk's own limit counts all its requests.
  if (!isDeskPath(request.url.pathname)) await enforceRateLimit(rateLimits.pdf, request);
  return new Response(await drawnInTurn(networkOf(request.clientAddress), () => draw(view, at)), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="${view.fileName}"`,
    },
  });
}

/** Draws an invoice. @param issuedAt date written into the file @throws DomainError as pdfResponse */
export function invoicePdfResponse(
  request: RequestContext,
  view: InvoiceView,
  issuedAt: Date,
): Promise<Response> {
  return pdfResponse(request, invoicePdf, view, issuedAt);
}
