/** A credit note as a PDF, with the same access rules as its page. */
import { redirect } from "@remix-run/node";
import { mayBeHandedOut, registrationOf } from "#server/billing/documents/registration.ts";
import { creditNoteView } from "#server/billing/documents/view.ts";
import * as paths from "#server/foundation/paths.ts";
import { downloadLoader, requireParams } from "../api/shared/route.ts";
import { invoicePdfResponse } from "../http/pdf-response.ts";
import { openCreditNote } from "../pages/credit-note/open-credit-note.ts";
import { creditNoteIdParams } from "../params.ts";

export const loader = downloadLoader(async (request, params) => {
  const note = await openCreditNote(request, requireParams(creditNoteIdParams, params));
  const registration = await registrationOf(request.context.db, note.number);
  // As with an invoice: an unregistered document must not be handed out.
  if (!mayBeHandedOut(registration)) return redirect(paths.creditNote(note.id), 303);
  return invoicePdfResponse(request, creditNoteView(note, registration), note.issuedAt);
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
