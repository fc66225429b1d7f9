/** An invoice as a PDF, with the same access rules as its page. */
import { invoicePdf } from "#server/documents/pdf.ts";
import { invoiceView } from "#server/documents/view.ts";
import { fileLoader, requireParams } from "../calls/shared/route.ts";
import { openInvoice } from "../pages/invoice/open-invoice.ts";
import { orderIdParams } from "../params.ts";

export const loader = fileLoader(async (request, params) => {
  const invoice = await openInvoice(request, requireParams(orderIdParams, params));
  const view = invoiceView(invoice);
  return new Response(await invoicePdf(view, invoice.issuedAt), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="${view.fileName}"`,
    },
  });
});
