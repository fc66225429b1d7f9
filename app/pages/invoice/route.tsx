/** `/orders/{id}/invoice`: an order's invoice to read and print, with a link to the PDF; with `number`, a replaced one. */
import { useLoaderData } from "@remix-run/react";
import { mayCorrect } from "#server/billing/documents/correct.ts";
import { findReplacingCreditNote } from "#server/billing/documents/credit-note.ts";
import { breakdownOfInvoice } from "#server/billing/documents/price-breakdown.ts";
import { mayBeHandedOut, registrationOf } from "#server/billing/documents/registration.ts";
import { documentTitle, invoiceView } from "#server/billing/documents/view.ts";
import * as paths from "#server/foundation/paths.ts";
import { findOrder } from "#server/orders/find.ts";
import { pageLoader } from "../../http/page.ts";
import { requesterOf } from "../../journey/guard.ts";
import { orderIdParams } from "../../params.ts";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { correctionLink } from "./correction-link.ts";
import { DocumentPage } from "./document.tsx";
import { openInvoice } from "./open-invoice.ts";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "Invoice");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(orderIdParams, async (request, params) => {
  const invoice = await openInvoice(request, params);
  const { context, text, language } = request;
  const registration = await registrationOf(context.db, invoice.number);
  const order = await findOrder(context.db, invoice.orderId);
  const note = await findReplacingCreditNote(context.db, invoice);
  return {
    title: `${documentTitle(request.text, invoice.facts)} ${invoice.number}`,
    view: invoiceView(invoice, registration),
    computed:
      order === null
        ? null
        : { title: text("computed.title"), sentences: breakdownOfInvoice(order, invoice, language) },
    pdf: mayBeHandedOut(registration)
      ? paths.invoicePdf(params.id, invoice.replacedBy === null ? undefined : invoice.number)
      : null,
    // A withdrawn invoice has no credit note: its own notice explains what happened.
    replacedBy:
      invoice.replacedBy === null || registration.state === "withdrawn"
        ? null
        : {
            number: invoice.replacedBy,
            href: paths.invoice(params.id, invoice.replacedBy),
            note: note === null ? null : paths.creditNote(note.id),
          },
    correct:
      order !== null && invoice.replacedBy === null && mayCorrect(order, requesterOf(request))
        ? correctionLink(request, invoice, registration)
        : registration.state === "withdrawn"
          ? { href: paths.invoice(params.id), label: text("refusedDocuments.open") }
          : null,
  };
});

export default function Invoice() {
  return <DocumentPage {...useLoaderData<typeof loader>()} />;
}
