/** View model of the form for a corrected invoice: its effects, the possible changes, and why others are not possible. */
import type { Order } from "#db/orders/order.ts";
import { listOfferedBillingAddresses, whyNoCorrection } from "#server/billing/documents/correct.ts";
import { toRegistrable } from "#server/billing/documents/e-invoice-body.ts";
import { type Invoice, invoicesOf } from "#server/billing/documents/issue.ts";
import { registrationOf } from "#server/billing/documents/registration.ts";
import { eInvoiceAccountOf } from "#server/billing/documents/registration-queue.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import type { RequestContext } from "../../http/request-context.ts";

/** @param invoice the valid one */
export async function correctionView(request: RequestContext, order: Order, invoice: Invoice) {
  const { context, text, language } = request;
  const { number, facts } = invoice;
  const refusal = await whyNoCorrection(context.db, context.env, order, invoice, new Date());
  const isRefused = (await registrationOf(context.db, number)).state === "failed";
  const link = isRefused
    ? { href: paths.refusedDocument(order.id, number), label: text("refusedDocuments.edit") }
    : { href: paths.invoice(order.id), label: text("corrections.viewInvoice") };
  if (refusal !== null) return { refusal: translate(language, refusal), link, form: null };
  const found = toRegistrable(invoice);
  const isRegistered = found !== null && eInvoiceAccountOf(context.env, found.gstin) !== null;
  const corrected = (await invoicesOf(context.db, order.id)).length - 1;
  const left = context.env.INVOICE_CORRECTIONS - corrected;
  const { name, addressLines, gstin } = facts.recipient;
  const stays = addressOf(text, { lines: [name, ...addressLines], gstin });
  const places = await listOfferedBillingAddresses(context.db, order, invoice);
  return {
    refusal: null,
    link,
    form: {
      invoice: number,
      lead: text("corrections.lead", { number }),
      happens: [
        text("corrections.happens", { number }),
        ...(isRegistered ? [text("corrections.happensRegistered")] : []),
        text("corrections.left", { count: left }),
      ],
      company: order.customerId === null ? null : paths.company(),
      places: [
        { value: "", title: text("corrections.stays"), hint: stays },
        ...places.map((place) => {
          const [title = "", ...lines] = place.lines;
          return { value: place.id, title, hint: addressOf(text, { ...place, lines }) };
        }),
      ],
    },
  };
}

export type CorrectionForm = NonNullable<Awaited<ReturnType<typeof correctionView>>["form"]>;

function addressOf(
  text: Translate,
  { lines, gstin }: { lines: readonly string[]; gstin: string | null },
): string {
  return [...lines, ...(gstin === null ? [] : [text("invoice.gstin", { gstin })])].join(", ");
}
