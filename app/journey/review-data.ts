/** Turns an order into the lines of its review (SPEC section 2): the figures are the order's own, only formatted here. */
import type { Order } from "#server/orders/order.ts";
import { linesOf } from "#server/orders/pricing.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { licences } from "#server/pricing/quantity.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import { renewedTerm } from "#server/subscriptions/term.ts";
import { daysWords } from "./order-words.ts";
import type { ReviewSummary } from "./review.tsx";

export function reviewOf(order: Order): ReviewSummary {
  const { line } = order;
  const isIndia = order.country === "IN";
  return {
    rows: [
      { label: "Product", value: line.name },
      ...addedTo(order),
      ...termRows(order),
      { label: "Commitment", value: line.term === "P1Y" ? "One Year" : "One Month" },
      { label: "Billing", value: line.billingCycle === "annual" ? "Annually" : "Monthly" },
      ...(order.family === "google" ? googleRows(order) : seatRows(order)),
    ],
    totals: [
      { label: "Subtotal", value: formatMoney(order.subtotal) },
      // An estimated-tax line is shown only for INR (SPEC section 9).
      ...(isIndia
        ? [{ label: `Estimated tax (${order.taxRateBasisPoints / 100}%)`, value: formatMoney(order.tax) }]
        : []),
      ...(order.rounding.minor === 0 ? [] : [{ label: "Rounding", value: formatMoney(order.rounding) }]),
      {
        label: order.family === "google" ? "Grand Total" : "Total",
        value: formatMoney(order.total),
        strong: true,
      },
    ],
    soldTo: soldToOf(order),
  };
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
    country === "IN" ? "India" : "USA",
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

function seatRows(order: Order): ReviewSummary["rows"] {
  const { line } = order;
  return [
    { label: "Unit price", value: `${formatMoney(line.unitPrice)} ${perUser(order)}` },
    { label: "Quantity", value: String(line.quantity) },
  ];
}

/** What the price of a seat is for: a whole term, or the rest of one. */
function perUser({ line, details }: Order): string {
  if (details.proration !== undefined) return "per user, to the end of the term";
  return `user/${line.billingCycle === "annual" ? "year" : "month"}`;
}

/** Google's review shows the plan: how many users pay which price (SPEC section 9, Google pricing). */
function googleRows(order: Order): ReviewSummary["rows"] {
  return [
    { label: "Domain", value: order.details.google?.domain ?? "" },
    ...(order.details.google?.customerType === "transfer_token"
      ? [{ label: "Transfer", value: "This domain moves to us, with a transfer token of its administrator" }]
      : []),
    ...linesOf(order).map(({ quantity, unitPrice, amount }) => ({
      label: "Plan",
      value: `${quantity} ${quantity === 1 ? "user" : "users"} x ${formatMoney(unitPrice)} ${perUser(order)} = ${formatMoney(amount)}`,
    })),
  ];
}

/** The terms a buyer accepts, by family (SPEC section 9 and DESIGN ruling 10). */
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
