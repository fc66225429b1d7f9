/**
 * The fingerprint of a quote's content. An approval or a payment is bound to it. Every change of the content changes it,
 * whatever made the change (docs/decisions/quotes.md#quotes).
 */
import { createHash } from "node:crypto";
import type { Order } from "#db/orders/order.ts";
import { linesOf } from "#server/orders/pricing.ts";

/** Hashes an order's current lines, amounts, recipient, references and validity: SHA-256 in hex. */
export function quoteFingerprint(order: Order, validUntil: Date): string {
  return createHash("sha256")
    .update(canonical(quotedFacts(order, validUntil)), "utf8")
    .digest("hex");
}

function quotedFacts(order: Order, validUntil: Date) {
  const { line, details, account } = order;
  return {
    order: order.id,
    kind: order.kind,
    item: { sku: line.sku, name: line.name, term: line.term, billingCycle: line.billingCycle },
    lines: linesOf(order).map(({ quantity, unitPrice, amount }) => ({
      quantity,
      unitPrice: unitPrice.minor,
      amount: amount.minor,
    })),
    amounts: {
      currency: order.total.currency,
      subtotal: order.subtotal.minor,
      taxRate: order.taxRateBasisPoints,
      tax: order.tax.minor,
      rounding: order.rounding.minor,
      total: order.total.minor,
    },
    place: {
      domain: details.google?.domain ?? details.addedTo ?? null,
      proration: details.proration ?? null,
      renewal: details.renewal ?? null,
    },
    supply: details.supply ?? null,
    recipient: account && {
      companyName: account.companyName,
      addressLine1: account.addressLine1,
      addressLine2: account.addressLine2,
      city: account.city,
      state: account.state,
      pincode: account.pincode,
      country: account.country,
      registration: account.organisationRegistrationNumber,
      gstin: account.gst_code,
    },
    references: order.references,
    validUntil: validUntil.toISOString(),
  };
}

/** Serializes to JSON with sorted keys, so that equal facts are always the same text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`);
  return `{${entries.join(",")}}`;
}
