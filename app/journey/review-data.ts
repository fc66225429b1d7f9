/** Turns an order into the lines of its review. It only formats the order's figures and calculates none. */

import type { Order } from "#db/order.ts";
import { brand } from "#server/brand.ts";
import type { Context } from "#server/context.ts";
import { countries } from "#server/countries/country.ts";
import { families } from "#server/families/family.ts";
import { agreementOf } from "#server/orders/agreement.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { licences } from "#server/pricing/quantity.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import { renewedTerm } from "#server/subscriptions/term.ts";
import { type ChangeOf, screens } from "../families/family.ts";
import type { Line } from "../ui/lines.tsx";
import { agreementPath, stepPath } from "./guard.ts";
import { daysWords } from "./order-words.ts";
import type { ReviewSummary } from "./review.tsx";

/** @param isOpen whether the answers can still be edited, which ends when a payment arrives */
export function reviewOf(order: Order, { isOpen }: { isOpen: boolean }): ReviewSummary {
  const { line } = order;
  const hasTax = countries[order.country].taxRateBasisPoints > 0;
  const isNew = order.kind === "NEW";
  const changeOf = changesOf(order, isOpen);
  const { review } = screens[order.family];
  return {
    rows: [
      { label: "Product", value: line.name },
      ...addedTo(order),
      ...termRows(order),
      {
        label: "Commitment",
        value: line.term === "P1Y" ? "One Year" : "One Month",
        // A change keeps the term of its subscription.
        change: order.subscriptionId === null ? changeOf("details", "term") : undefined,
      },
      { label: "Billing", value: line.billingCycle === "annual" ? "Annually" : "Monthly" },
      ...review.rows(order, changeOf),
    ],
    totals: [
      { label: "Subtotal", value: formatMoney(order.subtotal) },
      ...(hasTax
        ? [{ label: `Estimated tax (${order.taxRateBasisPoints / 100}%)`, value: formatMoney(order.tax) }]
        : []),
      ...(order.rounding.minor === 0 ? [] : [{ label: "Rounding", value: formatMoney(order.rounding) }]),
      {
        label: review.totalLabel,
        value: formatMoney(order.total),
        strong: true,
      },
    ],
    contact: contactOf(order, isNew ? changeOf : () => undefined),
    soldTo: soldToOf(order),
    changes: isNew && isOpen ? soldToChanges(order) : [],
    askUrl: isNew || !isOpen ? null : askToChange(order, "Change of address or contact"),
  };
}

function changesOf(order: Order, isOpen: boolean): ChangeOf {
  return (form, field) => (isOpen ? fieldLink(order, form, field) : undefined);
}

function fieldLink(order: Order, form: "details" | "account", field: string): string {
  const step = form === "details" ? "subscription-details" : "create-account";
  return `${stepPath(order, step)}#${form}-${field}`;
}

/** A mail to support, who find the order by its number. */
export function askToChange({ id }: Pick<Order, "id">, what: string): string {
  return `mailto:${brand.supportEmail}?subject=${encodeURIComponent(`${what}, order ${id}`)}`;
}

/** The contact for the order. Empty before Create Account. */
function contactOf({ account }: Order, changeOf: ChangeOf): Line[] {
  if (account === null) return [];
  const { firstName, lastName, email, phoneCode, phoneNumber } = account;
  return [
    { label: "Name", value: `${firstName} ${lastName}`, change: changeOf("account", "firstName") },
    { label: "Email", value: email, change: changeOf("account", "email") },
    { label: "Phone", value: `${phoneCode} ${phoneNumber}`, change: changeOf("account", "phoneNumber") },
  ];
}

function soldToChanges(order: Order): ReviewSummary["changes"] {
  const change = (field: string) => fieldLink(order, "account", field);
  const number = countries[order.country].registration.inSentence;
  return [
    { label: "Change company name", href: change("companyName") },
    { label: "Change address", href: change("addressLine1") },
    { label: `Change ${number}`, href: change("organisationRegistrationNumber") },
  ];
}

/** The part of a term that a change of a subscription pays for. */
function termRows({ details, line, country }: Order): ReviewSummary["rows"] {
  const date = (moment: Date) => formatDate(moment, country);
  const { proration, renewal } = details;
  if (proration !== undefined) {
    const until = date(new Date(proration.until));
    const value = `${licences(line.quantity)}, ${daysWords(proration)}, to ${until}`;
    return [{ label: "Added for", value }];
  }
  if (renewal === undefined) return [];
  const next = renewedTerm({ end: new Date(renewal.after), term: line.term }, new Date());
  return [{ label: "New term", value: `${date(next.start)} to ${date(next.end)}` }];
}

/** The company and address the order is sold to, line by line. Empty before Create Account. */
export function soldToOf({ account, country }: Order): string[] {
  if (account === null) return [];
  return [
    account.companyName,
    account.addressLine1,
    account.addressLine2,
    account.city,
    `${account.state} ${account.pincode}`,
    countries[country].name,
    ...(account.gst_code === null ? [] : [`GSTIN ${account.gst_code}`]),
  ];
}

/** The destination of an existing customer's order. Families sold to a domain have a row of their own for it. */
function addedTo({ kind, family, details, signIn }: Order): ReviewSummary["rows"] {
  if (details.addedTo === undefined || families[family].domain !== null) return [];
  if (signIn?.mode === "new") {
    return [{ label: "New account", value: `${signIn.username}@${details.addedTo}` }];
  }
  return [{ label: kind === "RENEW" ? "Domain" : "Added to", value: details.addedTo }];
}

/**
 * The terms that a buyer accepts, by family (docs/specification.md, section 9.2), with the vendor's agreement and its version
 * (docs/decisions/customer-agreement.md).
 */
export async function termsOf(
  context: Context,
  order: Order,
): Promise<{ terms: { text: string; href?: string }[]; agreement: string }> {
  const terms = screens[order.family].terms.map((text) => ({ text }));
  const agreement = await agreementOf(context, order);
  if (agreement === null) return { terms, agreement: "" };
  const text = `Your company accepts the ${agreement.name}.`;
  return {
    terms: [...terms, { text, href: agreementPath(order) }],
    agreement: agreement.version ?? "",
  };
}
