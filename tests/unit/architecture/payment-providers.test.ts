/** A payment provider is known by name where it is registered and in its own folders; what takes, settles and refunds is for any. */
import { expect, test } from "vitest";
import type { PaymentProviderId } from "#db/tables/payments.ts";
import { paymentProviderIds } from "#server/payments/registry.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const folders = [
  "app/forms",
  "app/http",
  "app/journey",
  "app/resources",
  "server/documents",
  "server/fulfilment",
  "server/jobs",
  "server/mail",
  "server/orders",
  "server/outbox",
  "server/payments",
  "server/pricing",
];
/** The contract with its registry, and what else knows it by name. */
const others: Readonly<Record<PaymentProviderId, readonly string[]>> = {
  razorpay: [
    "app/journey/place-order/pay.tsx",
    // Transfers reach accounts, and links lead to pages, that Razorpay opens, with its client and its signature.
    "server/payments/bank-transfer/bank-transfer.ts",
    "server/payments/bank-transfer/events.ts",
    "server/payments/bank-transfer/open-account.ts",
    "server/payments/payment-link/create-link.ts",
    "server/payments/payment-link/events.ts",
    "server/payments/payment-link/payment-link.ts",
    "server/payments/payment-link/return.ts",
    "server/payments/provider.ts",
    "server/payments/registry.ts",
    "server/pricing/payment-methods.ts",
  ],
  // What begins and shows a link belongs to no checkout.
  "payment-link": [
    "app/journey/place-order/ways-on.ts",
    "server/jobs/tasks.ts",
    "server/mail/letters/money.ts",
    "server/outbox/mail-audiences.ts",
    "server/payments/begin.ts",
    "server/payments/registry.ts",
  ],
  // What begins and shows a transfer belongs to no checkout.
  "bank-transfer": [
    "app/journey/place-order/route.tsx",
    "app/journey/place-order/view.ts",
    "app/journey/place-order/ways-on.ts",
    "server/jobs/tasks.ts",
    "server/payments/begin.ts",
    "server/payments/registry.ts",
  ],
};

test.each(paymentProviderIds)("%s is named in its own places alone", (provider) => {
  const files = folders.flatMap((folder) => filesUnder(folder, /\.tsx?$/));
  const naming = files.filter((file) => textOf(file).toLowerCase().includes(provider));
  const itsOwn = naming.filter((file) => file.split("/").includes(provider));
  expect(itsOwn.length).toBeGreaterThan(0);
  expect(naming.filter((file) => !itsOwn.includes(file)).sort()).toEqual(others[provider]);
});
