/** A payment provider is known by name where it is registered and in its own folders; what takes, settles and refunds is for any. */
import { expect, test } from "vitest";
import { paymentProviderIds } from "#server/payments/provider.ts";
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
/** The contract with its registry, and the part of the page that each has. */
const registries = [
  "app/journey/place-order/pay.tsx",
  "server/payments/provider.ts",
  "server/pricing/payment-methods.ts",
];

test.each(paymentProviderIds)("%s is named in its own places alone", (provider) => {
  const files = folders.flatMap((folder) => filesUnder(folder, /\.tsx?$/));
  const naming = files.filter((file) => textOf(file).toLowerCase().includes(provider));
  const itsOwn = naming.filter((file) => file.split("/").includes(provider));
  expect(itsOwn.length).toBeGreaterThan(3);
  expect(naming.filter((file) => !itsOwn.includes(file)).sort()).toEqual(registries);
});
