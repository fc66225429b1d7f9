/** A quote as a PDF, with the same access rules as its page. */
import { quoteView } from "#server/billing/quotes/view.ts";
import { downloadLoader, requireParams } from "../api/shared/route.ts";
import { invoicePdfResponse } from "../http/pdf-response.ts";
import { openQuotePage } from "../pages/quote/open-quote.ts";
import { quoteIdParams } from "../params.ts";

export const loader = downloadLoader(async (request, params) => {
  const { quote } = await openQuotePage(request, requireParams(quoteIdParams, params));
  return invoicePdfResponse(request, quoteView(quote, request.context.env.PUBLIC_URL), quote.issuedAt);
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
