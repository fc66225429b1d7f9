/** Turns an order into the lines of its review: the figures are the order's own, only formatted here. */

import type { Order } from "#db/order.ts";
import { brand } from "#server/brand.ts";
import { countries } from "#server/countries/country.ts";
import { linesOf } from "#server/orders/pricing.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { licences } from "#server/pricing/quantity.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import { renewedTerm } from "#server/subscriptions/term.ts";
import type { Line } from "../ui/lines.tsx";
import { stepPath } from "./guard.ts";
import { daysWords } from "./order-words.ts";
import type { ReviewSummary } from "./review.tsx";

/** @param isOpen whether its answers can still be put right: no longer once a payment has arrived */
export function reviewOf(order: Order, { isOpen }: { isOpen: boolean }): ReviewSummary {
  const { line } = order;
  const hasTax = countries[order.country].taxRateBasisPoints > 0;
  const isNew = order.kind === "NEW";
  const changeOf = changesOf(order, isOpen);
  return {
    rows: [
      { label: "Product", value: line.name },
      ...addedTo(order),
      ...termRows(order),
      {
        label: "Commitment",
        value: line.term === "P1Y" ? "One Year" : "One Month",
        // A subscription that is changed has its own.
        change: order.subscriptionId === null ? changeOf("details", "term") : undefined,
      },
      { label: "Billing", value: line.billingCycle === "annual" ? "Annually" : "Monthly" },
      ...(order.family === "google" ? googleRows(order, changeOf) : seatRows(order, changeOf)),
    ],
    totals: [
      { label: "Subtotal", value: formatMoney(order.subtotal) },
      ...(hasTax
        ? [{ label: `Estimated tax (${order.taxRateBasisPoints / 100}%)`, value: formatMoney(order.tax) }]
        : []),
      ...(order.rounding.minor === 0 ? [] : [{ label: "Rounding", value: formatMoney(order.rounding) }]),
      {
        label: order.family === "google" ? "Grand Total" : "Total",
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

/** The way to a field of a step that can still be posted again; it leads back to the review. */
type ChangeOf = (form: "details" | "account", field: string) => string | undefined;

function changesOf(order: Order, isOpen: boolean): ChangeOf {
  return (form, field) => (isOpen ? fieldLink(order, form, field) : undefined);
}

function fieldLink(order: Order, form: "details" | "account", field: string): string {
  const step = form === "details" ? "subscription-details" : "create-account";
  return `${stepPath(order, step)}#${form}-${field}`;
}

/** A message to a person, who finds the order by its number. */
export function askToChange({ id }: Pick<Order, "id">, what: string): string {
  return `mailto:${brand.supportEmail}?subject=${encodeURIComponent(`${what}, order ${id}`)}`;
}

/** Who hears of the order, and by which phone; nothing before Create Account. */
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

/** What part of its term a change of a subscription pays for. */
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

/** Whom an order is sold to, line by line; nothing before Create Account. */
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

/** Where an existing customer's order goes; Google's own row says its domain. */
function addedTo({ kind, family, details, signIn }: Order): ReviewSummary["rows"] {
  if (details.addedTo === undefined || family === "google") return [];
  if (signIn?.mode === "new") {
    return [{ label: "New account", value: `${signIn.username}@${details.addedTo}` }];
  }
  return [{ label: kind === "RENEW" ? "Domain" : "Added to", value: details.addedTo }];
}

function seatRows(order: Order, changeOf: ChangeOf): ReviewSummary["rows"] {
  const { line } = order;
  return [
    { label: "Unit price", value: `${formatMoney(line.unitPrice)} ${perUser(order)}` },
    { label: "Quantity", value: String(line.quantity), change: changeOf("details", "quantity") },
  ];
}

/** What the price of a seat is for: a whole term, or the rest of one. */
function perUser({ line, details }: Order): string {
  if (details.proration !== undefined) return "per user, to the end of the term";
  return `user/${line.billingCycle === "annual" ? "year" : "month"}`;
}

/** Google's review shows the plan: how many users pay which price (docs/specification.md, section 9.1). */
function googleRows(order: Order, changeOf: ChangeOf): ReviewSummary["rows"] {
  return [
    {
      label: "Domain",
      value: order.details.google?.domain ?? "",
      change: order.kind === "NEW" ? changeOf("details", "domain") : undefined,
    },
    ...(order.details.google?.customerType === "transfer_token"
      ? [{ label: "Transfer", value: "This domain moves to us, with a transfer token of its administrator" }]
      : []),
    ...linesOf(order).map(({ quantity, unitPrice, amount }, index) => ({
      label: "Plan",
      // Its users are one number, however many prices they have.
      change: index === 0 ? changeOf("details", "quantity") : undefined,
      value: `${quantity} ${quantity === 1 ? "user" : "users"} x ${formatMoney(unitPrice)} ${perUser(order)} = ${formatMoney(amount)}`,
    })),
  ];
}

/** The terms a buyer accepts, by family (docs/specification.md, section 9.2). */
export function termsOf(family: Order["family"]): string[] {
  const common = [
    "Licences can only be reduced within 72 hours.",
    "100% advance payment. An order cannot be cancelled once it is placed.",
    "Support is available 24/7.",
  ];
  if (family === "microsoft") {
    return [
      "You may cancel within 7 days for a prorated refund.",
      "Licences can only be reduced within 72 hours.",
      "100% advance payment.",
      "New Global, Billing and Reader administrators get access to the billing account.",
      "Support is available 24/7.",
    ];
  }
  return ["You can buy up to 300 licences.", ...common];
}
