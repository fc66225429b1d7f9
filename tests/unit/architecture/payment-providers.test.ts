/**
 * Code names a payment provider only in its registry and its own folders; code that takes, settles and refunds money works for
 * any.
 */
import { expect, test } from "vitest";
import type { PaymentProviderId } from "#db/tables/payments.ts";
import { paymentProviderIds } from "#server/billing/payments/registry.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const folders = [
  "app/forms",
  "app/http",
  "app/journey",
  "app/resources",
  "server/billing/documents",
  "server/fulfilment",
  "server/operations/jobs",
  "server/mail",
  "server/orders",
  "server/foundation/outbox",
  "server/billing/payments",
  "server/catalogue/pricing",
];
/** Files outside the provider's own folders that may name it, such as the contract and the registry. */
const others: Readonly<Record<PaymentProviderId, readonly string[]>> = {
  razorpay: [
    "app/journey/place-order/pay.tsx",
    // Bank transfers and payment links are Razorpay products and use its client and signature.
    "server/billing/payments/bank-transfer/bank-transfer.ts",
    "server/billing/payments/bank-transfer/events.ts",
    "server/billing/payments/bank-transfer/open-account.ts",
    "server/billing/payments/payment-link/create-link.ts",
    "server/billing/payments/payment-link/events.ts",
    "server/billing/payments/payment-link/payment-link.ts",
    "server/billing/payments/payment-link/return.ts",
    "server/billing/payments/provider.ts",
    "server/billing/payments/registry.ts",
    "server/catalogue/pricing/payment-methods.ts",
  ],
  // These files open and show a payment link without a checkout.
  "payment-link": [
    "app/journey/place-order/ways-on.ts",
    "server/operations/jobs/tasks.ts",
    "server/mail/letters/money.ts",
    "server/foundation/outbox/mail-audiences.ts",
    "server/billing/payments/begin.ts",
    "server/billing/payments/registry.ts",
  ],
  // These files open and show a bank transfer without a checkout.
  "bank-transfer": [
    "app/journey/place-order/route.tsx",
    "app/journey/place-order/view.ts",
    "app/journey/place-order/ways-on.ts",
    "server/operations/jobs/tasks.ts",
    "server/billing/payments/begin.ts",
    "server/billing/payments/registry.ts",
  ],
};

test.each(paymentProviderIds)("names %s only in its own folders and the listed files", (provider) => {
  const files = folders.flatMap((folder) => filesUnder(folder, /\.tsx?$/));
  const naming = files.filter((file) => textOf(file).toLowerCase().includes(provider));
  const itsOwn = naming.filter((file) => file.split("/").includes(provider));
  expect(itsOwn.length).toBeGreaterThan(0);
  expect(naming.filter((file) => !itsOwn.includes(file)).sort()).toEqual(
    [...(others[provider] ?? [])].sort(),
  );
});
