/** `/credit-notes/{id}`: the credit note of a refund, or of a corrected invoice, to read and to print, with a link to the PDF. */
import { useLoaderData } from "@remix-run/react";
import { mayCorrectRefused } from "#server/billing/documents/correct-refused.ts";
import { mayBeHandedOut, registrationOf } from "#server/billing/documents/registration.ts";
import { creditNoteView } from "#server/billing/documents/view.ts";
import * as paths from "#server/foundation/paths.ts";
import { findOrder } from "#server/orders/find.ts";
import { pageLoader } from "../../http/page.ts";
import { requesterOf } from "../../journey/guard.ts";
import { creditNoteIdParams } from "../../params.ts";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { correctionLink } from "../invoice/correction-link.ts";
import { DocumentPage } from "../invoice/document.tsx";
import { openCreditNote } from "./open-credit-note.ts";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "Credit Note");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(creditNoteIdParams, async (request, params) => {
  const note = await openCreditNote(request, params);
  const { db } = request.context;
  const registration = await registrationOf(db, note.number);
  const order = registration.state === "failed" ? await findOrder(db, note.orderId) : null;
  return {
    title: `${request.text("creditNote.title")} ${note.number}`,
    view: creditNoteView(note, registration),
    pdf: mayBeHandedOut(registration) ? paths.creditNotePdf(note.id) : null,
    correct:
      order !== null && mayCorrectRefused(order, requesterOf(request))
        ? correctionLink(request, note, registration)
        : null,
  };
});

export default function CreditNotePage() {
  return <DocumentPage {...useLoaderData<typeof loader>()} />;
}
