/** Turns an order into the lines of its review. It only formats the order's figures and calculates none. */

import type { AccountAnswers, Order } from "#db/orders/order.ts";
import type { Country } from "#db/tables/enums.ts";
import { describeTax } from "#server/billing/documents/facts.ts";
import { breakdownOfDraft } from "#server/billing/documents/price-breakdown.ts";
import { supplierOf } from "#server/billing/documents/supplier.ts";
import type { TaxPart } from "#server/billing/documents/tax-split.ts";
import { referenceLines } from "#server/billing/documents/view.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { formatExact, formatMoney } from "#server/catalogue/pricing/format.ts";
import { brand } from "#server/foundation/brand.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { fullName } from "#server/foundation/placeholders.ts";
import { agreementOf } from "#server/orders/agreement.ts";
import { orderNumber } from "#server/orders/number.ts";
import { stepPath } from "#server/orders/order-path.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { renewedTerm } from "#server/orders/subscriptions/term.ts";
import { isExport, isToZone, priceTaxOf } from "#server/orders/supply.ts";
import { taxTexts } from "#server/orders/tax-texts.ts";
import type { ChangeOf } from "../families/family.ts";
import { screens } from "../families/registry.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { SummaryRow } from "../ui/summary-list.tsx";
import { decisionRows } from "./decision-rows.ts";
import { agreementPath } from "./guard.ts";
import { daysLeftText, quantityText } from "./order-labels.ts";
import type { ReviewSummary } from "./review.tsx";

/**
 * @param isOwner whether the buyer may change the company's details
 * @param isOpen whether the answers can still be edited, which ends when a payment arrives
 * @param doubts the tax register's objections to the buyer's GSTIN; null for none
 */
export function reviewOf(
  { context, text, language }: Pick<RequestContext, "context" | "text" | "language">,
  order: Order,
  { isOpen, isOwner, doubts = null }: { isOpen: boolean; isOwner: boolean; doubts?: string | null },
): ReviewSummary {
  const { line, country } = order;
  const isNew = order.kind === "NEW";
  const changeOf = changesOf(order, isOpen);
  const { review } = screens[order.family];
  const supplier = supplierOf(context.env, country);
  const { gst, placeOfSupply, taxes } = describeTax(order, supplier, language);
  return {
    rows: [
      { label: text("steps.product"), value: line.name },
      ...addedTo(order, text),
      ...termRows(order, text, language),
      {
        label: text("steps.reviewCommitment"),
        value: text(line.term === "P1Y" ? "steps.oneYear" : "steps.oneMonth"),
        // A change keeps the term of its subscription.
        change: order.subscriptionId === null ? changeOf("details", "term") : undefined,
      },
      {
        label: text("steps.billing"),
        value: text(line.billingCycle === "annual" ? "steps.annually" : "steps.byTheMonth"),
      },
      ...review.rows(order, changeOf, text),
      ...referenceLines(text, order.references),
      ...(isOpen ? decisionRows({ text, language }, order, new Date()) : []),
    ],
    bill: {
      product: line.name,
      quantity: quantityText(order, text),
      // Two decimals in each line, so that the amounts of a bill align.
      lines: [
        { label: text("steps.subtotal"), value: formatExact(order.subtotal) },
        ...(order.taxRateBasisPoints > 0
          ? [
              {
                label: text("steps.estimatedTax", { rate: order.taxRateBasisPoints / 100 }),
                value: formatExact(order.tax),
              },
              // Taxes under their names on the invoice; a tax that is not split is the line above.
              ...(placeOfSupply === null
                ? []
                : taxes.map(({ name, rateBasisPoints, amount }) => ({
                    label: text("steps.taxPart", { name, rate: rateBasisPoints / 100 }),
                    value: formatExact(amount),
                    isPart: true as const,
                  }))),
            ]
          : []),
        ...(order.rounding.minor === 0
          ? []
          : [{ label: text("steps.rounding"), value: formatExact(order.rounding) }]),
      ],
      total: { label: text(review.totalLabel), value: formatMoney(order.total) },
      seller:
        gst === null
          ? text("review.seller", { name: supplier.name })
          : text("review.sellerWithGstin", { name: supplier.name, gstin: gst.gstin }),
    },
    computed: { title: text("computed.title"), sentences: breakdownOfDraft(order, supplier, language) },
    contact: contactOf(order, isNew ? changeOf : () => undefined, text),
    soldTo: soldToOf(order, language),
    tax:
      placeOfSupply === null
        ? null
        : [
            taxTexts(priceTaxOf(order), language).whyNone ??
              suppliedWords(order, placeOfSupply.name, taxes, text),
            ...(doubts === null ? [] : [doubts]),
          ].join(" "),
    changes: isNew && isOpen ? soldToChanges(order, text, language) : [],
    asIs:
      isNew || !isOpen
        ? null
        : isOwner
          ? { says: text("review.asIsYours"), href: paths.company() }
          : { says: text("review.asIs"), href: changeRequestMailto(order, "Change of address or contact") },
  };
}

/** "IGST 18%, supplied to Maharashtra", or why IGST applies regardless of the place. */
function suppliedWords(order: Order, place: string, taxes: readonly TaxPart[], text: Translate): string {
  const { supply } = priceTaxOf(order);
  const parts = taxes.map(({ name, rateBasisPoints }) =>
    text("steps.taxPart", { name, rate: rateBasisPoints / 100 }),
  );
  const all = parts.join(" + ");
  if (supply !== null && isExport(supply)) return text("steps.taxExport", { taxes: all });
  if (supply !== null && isToZone(supply)) return text("steps.taxZone", { taxes: all });
  return text("steps.taxSupplied", { taxes: all, place });
}

function changesOf(order: Order, isOpen: boolean): ChangeOf {
  return (form, field) => (isOpen ? fieldLink(order, form, field) : undefined);
}

function fieldLink(order: Order, form: "details" | "account", field: string): string {
  const step = form === "details" ? "subscription-details" : "create-account";
  return `${stepPath(order, step)}#${form}-${field}`;
}

/** Mail link to support. It is in English, and names the order's number, with which support finds it. */
export function changeRequestMailto(order: Pick<Order, "number" | "createdAt">, what: string): string {
  return `mailto:${brand.supportEmail}?subject=${encodeURIComponent(`${what}, order ${orderNumber(order)}`)}`;
}

/** The contact for the order. Empty before Create Account. */
function contactOf({ account }: Order, changeOf: ChangeOf, text: Translate): SummaryRow[] {
  if (account === null) return [];
  const { email, phoneCode, phoneNumber } = account;
  return [
    {
      label: text("steps.name"),
      value: fullName(account),
      change: changeOf("account", "firstName"),
    },
    { label: text("steps.email"), value: email, change: changeOf("account", "email") },
    {
      label: text("steps.phone"),
      value: `${phoneCode} ${phoneNumber}`,
      change: changeOf("account", "phoneNumber"),
    },
  ];
}

function soldToChanges(order: Order, text: Translate, language: LanguageId): ReviewSummary["changes"] {
  const change = (field: string) => fieldLink(order, "account", field);
  const number = countries[order.country].words[language].registrationInSentence;
  return [
    { label: text("steps.changeCompany"), href: change("companyName") },
    { label: text("steps.changeAddress"), href: change("addressLine1") },
    { label: text("steps.changeNumber", { number }), href: change("organisationRegistrationNumber") },
  ];
}

/** The part of a term that a change of a subscription pays for. */
function termRows(
  { details, line, country }: Order,
  text: Translate,
  language: LanguageId,
): ReviewSummary["rows"] {
  const date = (moment: Date) => formatDate(moment, country, language);
  const { proration, renewal } = details;
  if (proration !== undefined) {
    const value = text("steps.addedForUntil", {
      licences: text("orders.licences", { count: line.quantity }),
      days: daysLeftText(proration, text),
      date: date(new Date(proration.until)),
    });
    return [{ label: text("steps.addedFor"), value }];
  }
  if (renewal === undefined) return [];
  const { after, anchorDay } = renewal;
  const next = renewedTerm({ end: new Date(after), term: line.term, anchorDay }, new Date(), country);
  const value = text("steps.fromTo", { from: date(next.start), to: date(next.end) });
  return [{ label: text("steps.newTerm"), value }];
}

/** The company, address and registration the order is sold to, line by line. Empty before Create Account. */
export function soldToOf({ account, country }: Order, language: LanguageId): string[] {
  if (account === null) return [];
  return [
    account.companyName,
    account.addressLine1,
    account.addressLine2,
    account.city,
    `${account.state} ${account.pincode}`,
    countries[country].words[language].name,
    ...numbersOf(account, country),
  ].filter((line) => line !== "");
}

/**
 * "PAN AABCB1234C", "GSTIN 29AABCB1234C1ZA": the buyer's numbers, without duplicates. Companies from older orders might have
 * none.
 */
function numbersOf({ organisationRegistrationNumber, gst_code }: AccountAnswers, country: Country): string[] {
  const { nameOf } = countries[country].registration;
  const numbers = new Set([organisationRegistrationNumber, gst_code ?? ""]);
  return [...numbers].filter((number) => number !== "").map((number) => `${nameOf(number)} ${number}`);
}

/** Destination of an existing customer's order. Families sold to a domain have their own row for it. */
function addedTo({ kind, family, details, signIn }: Order, text: Translate): ReviewSummary["rows"] {
  if (details.addedTo === undefined || families[family].domain !== null) return [];
  if (signIn?.mode === "new") {
    return [{ label: text("steps.newAccountRow"), value: `${signIn.username}@${details.addedTo}` }];
  }
  return [{ label: text(kind === "RENEW" ? "steps.domain" : "steps.addedTo"), value: details.addedTo }];
}

/**
 * The terms that a buyer accepts, by family (docs/specification.md, section 9.2), with the vendor's agreement and its version
 * (docs/decisions/tenants.md#customer-agreement).
 */
export async function termsOf(
  { context, text, language }: Pick<RequestContext, "context" | "text" | "language">,
  order: Order,
): Promise<{ terms: { text: string; href?: string }[]; agreement: string }> {
  const terms = screens[order.family].terms.map((term) => ({ text: translate(language, term) }));
  const agreement = await agreementOf(context, order);
  if (agreement === null) return { terms, agreement: "" };
  const accepts = text("steps.termAgreement", { name: agreement.name });
  return {
    terms: [...terms, { text: accepts, href: agreementPath(order) }],
    agreement: agreement.version ?? "",
  };
}
