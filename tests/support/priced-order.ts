/** Paid orders without a database, priced by the one pricing module. */

import { isItemId } from "#db/catalogue/catalogue.ts";
import { type CustomerId, newId, type OrderId, type RefundId, type UserId } from "#db/ids.ts";
import type { AccountAnswers, Order } from "#db/orders/order.ts";
import type { Country } from "#db/tables/enums.ts";
import { sandboxSellers } from "#sandbox/local/environment.ts";
import type { CreditNote } from "#server/billing/documents/credit-note.ts";
import { creditNoteFacts } from "#server/billing/documents/credit-note-facts.ts";
import { invoiceFacts } from "#server/billing/documents/facts.ts";
import type { Invoice } from "#server/billing/documents/issue.ts";
import { supplierOf } from "#server/billing/documents/supplier.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { storedLanguage } from "#server/foundation/languages/language.ts";
import { orderAmounts, orderLine, type PricedSelection, type Selection } from "#server/orders/pricing.ts";
import { noReferences } from "#server/orders/references.ts";
import { catalogue } from "./catalogue/index.ts";

export const sellerIn = (country: Country) => supplierOf(sandboxSellers, country);

export function catalogueItem(id: string): CatalogueItem {
  const found = catalogue.find((item) => item.id === id);
  if (found === undefined || !isItemId(found.id)) throw new Error(`No ${id}`);
  return { ...found, id: found.id, isAddon: found.section === "addon" };
}

/** A company in Karnataka, without a GSTIN unless the changes set one. */
export function accountAnswers(changes: Partial<AccountAnswers> = {}): AccountAnswers {
  return {
    companyName: "Acme Tools",
    email: "buyer@example.com",
    firstName: "Asha",
    lastName: "Rao",
    phoneCode: "+91",
    phoneNumber: "9876543210",
    addressLine1: "221 100 Feet Road",
    addressLine2: "Indiranagar",
    city: "Bengaluru",
    state: "Karnataka",
    pincode: "560038",
    country: "IN",
    organisationRegistrationNumber: "AABCB1234C",
    gst_code: null,
    ...changes,
  };
}

/** @param priced the result of priceSelection for the item and selection */
export function pricedOrder(
  item: CatalogueItem,
  country: Country,
  selection: Selection,
  priced: PricedSelection,
  changes: Partial<Order> = {},
): Order {
  const now = new Date("2026-11-20T09:00:00Z");
  return {
    id: newId<OrderId>(),
    number: 1,
    kind: "NEW",
    family: item.family,
    itemId: item.id,
    country,
    stage: "stage4",
    paymentStatus: "completed",
    fulfilmentStatus: "done",
    version: 1,
    userId: newId<UserId>(),
    customerId: newId<CustomerId>(),
    tenantId: null,
    subscriptionId: null,
    parentSubscriptionId: null,
    draftKey: null,
    language: null,
    details: selection.google === undefined ? {} : { google: selection.google },
    account: accountAnswers({ country }),
    signIn: null,
    references: noReferences,
    line: orderLine(item, selection, priced),
    ...orderAmounts(priced, now),
    isQuoted: false,
    priceHeldUntil: null,
    termsAcceptedAt: now,
    createdAt: now,
    paidAt: now,
    removedAt: null,
    ...changes,
  };
}

/** The order's invoice as it would be issued, including the number. */
export function invoiceOf(order: Order, companyName = "Acme Tools"): Invoice {
  const language = storedLanguage(order.language);
  return {
    number: order.country === "IN" ? "IN/26-27/000042" : "US/2026/000042",
    orderId: order.id,
    issuedAt: new Date("2026-11-20T09:00:00Z"),
    language,
    facts: invoiceFacts(
      order,
      sellerIn(order.country),
      companyName,
      language,
      new Date("2026-11-20T09:00:00Z"),
    ),
    replacedBy: null,
  };
}

/** The credit note of a refund of half the order. */
export function creditNoteOf(
  order: Order,
  { reason = "One license was removed.", licences }: { reason?: string; licences?: number } = {},
): CreditNote {
  const { orderId, issuedAt, language, number, facts: invoiced } = invoiceOf(order);
  const invoice = { number, facts: invoiced };
  const refundId = newId<RefundId>();
  const amountMinor = Math.ceil(invoice.facts.totalMinor / 2);
  const facts = creditNoteFacts({ ...invoice, issuedAt }, [], { amountMinor, reason, licences });
  return { number: "IN/C26-27/000007", id: refundId, refundId, orderId, issuedAt, language, facts };
}
