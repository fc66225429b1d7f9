/** A document as a PDF to keep. */
import { invoicePdf } from "#server/documents/pdf.ts";
import type { InvoiceView } from "#server/documents/view.ts";

/** @param issuedAt written into the file: the same document gives the same bytes */
export async function pdfAnswer(view: InvoiceView, issuedAt: Date): Promise<Response> {
  return new Response(await invoicePdf(view, issuedAt), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="${view.fileName}"`,
    },
  });
}
