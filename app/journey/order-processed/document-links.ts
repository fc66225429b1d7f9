/** Documents of a fulfilled order, and the corrections that can be requested. */
import type { Order } from "#db/orders/order.ts";
import { mayCorrect } from "#server/billing/documents/correct.ts";
import type { ListedCreditNote } from "#server/billing/documents/credit-note.ts";
import type { Invoice } from "#server/billing/documents/issue.ts";
import { mayChangeReferencesOf } from "#server/billing/documents/references.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import * as paths from "#server/foundation/paths.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { requesterOf } from "../guard.ts";

/** The valid invoice; null while there is none. */
export function holdingOf(invoices: readonly Invoice[]): Invoice | null {
  return invoices.find(({ replacedBy }) => replacedBy === null) ?? null;
}

/** Links to the documents, with amounts where money moved in both directions. */
export function documentLinks(
  request: RequestContext,
  order: Order,
  { invoices, notes }: { invoices: readonly Invoice[]; notes: readonly ListedCreditNote[] },
) {
  const { text } = request;
  if (mayChangeReferencesOf(order, holdingOf(invoices)))
    return [{ label: text("references.edit"), href: paths.orderReferences(order.id) }];
  const former = invoices.filter(({ replacedBy }) => replacedBy !== null);
  const href = paths.invoice(order.id);
  const correct = mayCorrect(order, requesterOf(request))
    ? [{ label: text("corrections.edit"), href: paths.orderReferences(order.id) }]
    : [];
  if (notes.length === 0) return [{ label: text("closure.invoice"), href }, ...correct];
  return [
    { label: text("closure.invoiceOf", { amount: formatMoney(order.total) }), href },
    ...notes.map(({ id, isCorrection, amount }) => ({
      label: isCorrection
        ? text("corrections.takenBack")
        : text("closure.creditNote", { amount: formatMoney(amount) }),
      href: paths.creditNote(id),
    })),
    ...former.map(({ number }) => ({
      label: text("corrections.former", { number }),
      href: paths.invoice(order.id, number),
    })),
    ...correct,
  ];
}
