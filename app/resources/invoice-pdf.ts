/** An invoice as a PDF, with the same access rules as its page. */
import { redirect } from "@remix-run/node";
import { mayBeHandedOut, registrationOf } from "#server/billing/documents/registration.ts";
import { invoiceView } from "#server/billing/documents/view.ts";
import * as paths from "#server/foundation/paths.ts";
import { downloadLoader, requireParams } from "../api/shared/route.ts";
import { invoicePdfResponse } from "../http/pdf-response.ts";
import { openInvoice } from "../pages/invoice/open-invoice.ts";
import { orderIdParams } from "../params.ts";

export const loader = downloadLoader(async (request, params) => {
  const { id } = requireParams(orderIdParams, params);
  const invoice = await openInvoice(request, { id });
  const registration = await registrationOf(request.context.db, invoice.number);
  // An unregistered document must not be handed out: its page explains that.
  if (!mayBeHandedOut(registration)) return redirect(paths.invoice(id, invoice.number), 303);
  const view = invoiceView(invoice, registration);
  return invoicePdfResponse(request, view, invoice.issuedAt);
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
