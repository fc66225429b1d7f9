/** A PDF to keep, drawn for this answer. */
import { invoicePdf } from "#server/documents/pdf.ts";
import { refuseWhileManyWait } from "#server/documents/pdf-thread.ts";
import type { InvoiceView } from "#server/documents/view.ts";

/**
 * @param draw server/documents/pdf.ts and its like
 * @param at written into the file: the same view and date give the same bytes
 * @throws DomainError busy while many PDFs wait to be drawn
 */
export async function drawnAnswer<View extends { fileName: string }>(
  draw: (view: View, at: Date) => Promise<Uint8Array<ArrayBuffer>>,
  view: View,
  at: Date,
): Promise<Response> {
  refuseWhileManyWait();
  return new Response(await draw(view, at), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="${view.fileName}"`,
    },
  });
}

/** @param issuedAt written into the file. @throws DomainError busy while many PDFs wait to be drawn */
export function pdfAnswer(view: InvoiceView, issuedAt: Date): Promise<Response> {
  return drawnAnswer(invoicePdf, view, issuedAt);
}
