/** An existing customer: its people, tenants and subscriptions, in the store and at the providers. */
import { randomUUID } from "node:crypto";
import { type CustomerId, newId, type SubscriptionId, type TenantId } from "#db/ids.ts";
import type { SubscriptionStatus, Term } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { seedSandbox } from "#sandbox/demo/vendors.ts";
import { sandboxGoogleAccount } from "#sandbox/local/environment.ts";
import { addAddress } from "#server/accounts/customers.ts";
import { startOfTerm } from "#server/orders/subscriptions/term.ts";
import { makeCompany, makePerson, type Person } from "./orders.ts";
import { insertTestSubscription, insertTestTenant } from "./subscriptions.ts";

const dayMs = 86_400_000;
const addressOf = {
  IN: {
    addressLine1: "1 Saved Street",
    addressLine2: "Indiranagar",
    city: "Bengaluru",
    state: "Karnataka",
    pincode: "560038",
    country: "IN",
    organisationRegistrationNumber: "AABCB1234C",
    phone: "9876543210",
  },
  US: {
    addressLine1: "1 Main Street",
    addressLine2: "Suite 2",
    city: "Austin",
    state: "Texas",
    pincode: "73301",
    country: "US",
    organisationRegistrationNumber: "12-3456789",
    phone: "5125550100",
  },
} as const;

export interface Customer {
  owner: Person;
  customerId: CustomerId;
  country: "IN" | "US";
}

/** A company with an owner and a saved address. */
export async function makeCustomer(db: Db, country: "IN" | "US" = "IN"): Promise<Customer> {
  const owner = await makePerson(db);
  const customerId = await makeCompany(db, owner);
  if (country === "US")
    await db.updateTable("customers").set({ country }).where("id", "=", customerId).execute();
  await db.transaction().execute((trx) =>
    addAddress(trx, customerId, {
      ...addressOf[country],
      gstCode: null,
      email: owner.email,
      firstName: "Asha",
      lastName: "Rao",
    }),
  );
  return { owner, customerId, country };
}

const itemOf = {
  microsoft: "microsoft-365-business-basic",
  google: "google-workspace-business-starter",
  brio: "brio-desk",
} as const;

export interface CustomerSubscription {
  id: SubscriptionId;
  tenantId: TenantId | null;
  /** The provider's own id. */
  tenantExternalId: string;
  externalId: string;
  domain: string;
}

export interface SubscriptionSpec {
  family?: keyof typeof itemOf;
  item?: string;
  quantity?: number;
  term?: Term;
  status?: SubscriptionStatus;
  /** Days from now; negative for an ended one. */
  endsInDays?: number;
  parent?: CustomerSubscription;
}

/** Gives a company a subscription, in the tenant of its base or in a new one. */
export async function createSubscriptionFor(
  db: Db,
  { customerId }: Customer,
  holding: SubscriptionSpec = {},
): Promise<CustomerSubscription> {
  const { family = "microsoft", quantity = 10, term = "P1Y", endsInDays = 100, parent } = holding;
  const id = newId<SubscriptionId>();
  const name = `held-${id.slice(0, 8)}`;
  const domain = parent?.domain ?? (family === "google" ? `${name}.example` : `${name}.onmicrosoft.com`);
  const tenantExternalId =
    parent?.tenantExternalId ??
    (family === "google" ? `accounts/${sandboxGoogleAccount}/customers/S${id.slice(0, 8)}` : randomUUID());
  const tenantId = family === "brio" ? null : (parent?.tenantId ?? newId<TenantId>());
  if (tenantId !== null && parent === undefined) {
    await insertTestTenant(db, customerId, { id: tenantId, family, external_id: tenantExternalId, domain });
  }
  const externalId = family === "google" ? `${tenantExternalId}/entitlements/S${id.slice(-8)}` : randomUUID();
  const end = new Date(Date.now() + endsInDays * dayMs);
  await insertTestSubscription(db, customerId, {
    id,
    tenant_id: tenantId,
    item: holding.item ?? itemOf[family],
    family,
    external_id: externalId,
    domain,
    quantity,
    term,
    billing_cycle: term === "P1Y" ? "annual" : "monthly",
    status: holding.status ?? (endsInDays > 0 ? "active" : "expired"),
    parent_subscription_id: parent?.id ?? null,
    start_date: startOfTerm(end, term, "IN"),
    end_date: end,
  });
  return { id, tenantId, tenantExternalId, externalId, domain };
}

/** Copies the company's data from the store to the sandbox's providers. */
export function seedProviders(db: Db, sandboxUrl: string, { owner }: Customer): Promise<void> {
  return seedSandbox(db, sandboxUrl, owner.email);
}
