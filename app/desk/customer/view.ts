/** A company as its page shows it. */

import { families } from "#server/catalogue/families/registry.ts";
import type { CustomerView } from "#server/desk/customers.ts";
import { auditActionLabel } from "#server/desk/labels.ts";
import * as paths from "#server/foundation/paths.ts";
import { fullName } from "#server/foundation/placeholders.ts";
import { timeView } from "../view.ts";

const methods = {
  made: "created by this store",
  "sign-in": "an administrator signed in",
  "transfer-token": "moved here with a transfer token",
  dns: "shown in DNS",
  staff: "linked by staff",
} as const;

const timeOrNull = (at: Date | null) => (at === null ? null : timeView(at));

export function customerPageView(view: CustomerView) {
  return {
    name: view.customer.name,
    twins: view.twins.map(({ id: other, ...twin }) => ({ ...twin, href: paths.deskCustomer(other) })),
    facts: [
      ["Country", view.countryName],
      ["Id", view.customer.id],
      ...view.addresses
        .slice(0, 5)
        .map((address): [string, string] => [
          "Address",
          [
            [address.addressLine1, address.addressLine2, address.city, address.state, address.pincode]
              .filter(Boolean)
              .join(", "),
            address.gstCode === null ? null : `GSTIN ${address.gstCode}`,
            address.organisationRegistrationNumber === ""
              ? null
              : `registration ${address.organisationRegistrationNumber}`,
            `${fullName(address)}, ${address.email}, ${address.phone}`,
          ]
            .filter((part) => part !== null)
            .join("; "),
        ]),
      ["TDS the buyer withholds", withheldIn(view.tax)],
    ] satisfies [string, string][],
    people: view.people.map(({ lastSignIn, ...person }) => ({
      ...person,
      lastSignIn: timeOrNull(lastSignIn),
    })),
    tenants: view.tenants.map(({ family, method, provenUntil, createdAt, ...tenant }) => ({
      ...tenant,
      vendor: families[family].label,
      since: timeView(createdAt),
      proof: method === null ? "never verified" : methods[method],
      isOver: provenUntil !== null && provenUntil <= new Date(),
      until: timeOrNull(provenUntil),
    })),
    subscriptions: view.subscriptions.map(({ readAt, ...subscription }) => ({
      ...subscription,
      readAt: timeOrNull(readAt),
    })),
    orders: view.orders.map(({ createdAt, ...order }) => ({ ...order, begun: timeView(createdAt) })),
    documents: view.documents.map(({ issuedAt, ...document }) => ({
      ...document,
      issued: timeView(issuedAt),
    })),
    entries: view.acts.map(({ at, action, ...entry }) => ({
      ...entry,
      action: auditActionLabel(action),
      at: timeView(at),
    })),
  };
}

export type CustomerPageView = ReturnType<typeof customerPageView>;

function withheldIn({ rateBasisPoints, section, deductorNumber }: CustomerView["tax"]): string {
  if (rateBasisPoints === null) return "The company withholds none and pays our invoices in full";
  return [
    `${rateBasisPoints / 100}%`,
    ...(section === null ? [] : [`section ${section}`]),
    ...(deductorNumber === null ? [] : [`TAN ${deductorNumber}`]),
  ].join(", ");
}
