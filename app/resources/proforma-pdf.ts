/** A proforma as a PDF, with the same access rules as its page. */
import { proformaView } from "#server/billing/documents/proforma-view.ts";
import { notFound } from "#server/foundation/errors.ts";
import { downloadLoader, requireParams } from "../api/shared/route.ts";
import { invoicePdfResponse } from "../http/pdf-response.ts";
import { openProforma } from "../pages/proforma/open-proforma.ts";
import { orderIdParams } from "../params.ts";

export const loader = downloadLoader(async (request, params) => {
  const { proforma } = await openProforma(request, requireParams(orderIdParams, params));
  // Without an account there is nothing to pay to.
  if (proforma.bank === null) throw notFound();
  return invoicePdfResponse(request, proformaView(proforma, proforma.bank), proforma.issuedAt);
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
