/** `/desk/documents/{number}/pdf`: download of a document as its buyer has it. */
import { redirect } from "@remix-run/node";
import { readDocument } from "#server/desk/document.ts";
import * as paths from "#server/foundation/paths.ts";
import { invoicePdfResponse } from "../http/pdf-response.ts";
import { deskFileLoader } from "./route-builders.ts";

export const loader = deskFileLoader("documentPdf", async (request, { number = "" }) => {
  const { view, notHandedOut, issuedAt } = await readDocument(request.context.db, number);
  // An unregistered document must not be handed out: redirect to its page, which says so.
  if (view === null || notHandedOut !== null) return redirect(paths.deskDocument(number), 303);
  return invoicePdfResponse(request, view, issuedAt);
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
