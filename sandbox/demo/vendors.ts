/**
 * Loads a company's subscriptions at Microsoft and Google and its payments at Razorpay from the database into the sandbox, for
 * example the demo company's. Idempotent: a sandbox whose file was deleted is filled again.
 */
import type { Db } from "#db/tables/index.ts";
import { demoEmails } from "./login.ts";

/**
 * @param sandboxUrl the sandbox's address
 * @param owner the email of a member of the company
 * @throws Error when the sandbox refuses the data
 */
export async function seedSandbox(
  db: Db,
  sandboxUrl: string,
  owner: string = demoEmails.owner,
): Promise<void> {
  const tenants = await readTenants(db, owner);
  const held = await readSubscriptions(db, owner);
  const response = await fetch(`${sandboxUrl}/control/seed`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      customers: tenants.filter(isOf("microsoft")).map(toMicrosoftCustomer),
      subscriptions: held.filter(isOf("microsoft")).map(toMicrosoftSubscription),
      google: {
        customers: tenants.filter(isOf("google")).map(toGoogleCustomer),
        entitlements: held.filter(isOf("google")).map(toGoogleEntitlement),
      },
      payments: await readPayments(db, owner),
    }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) {
    throw new Error(`The sandbox did not take the demo data: ${response.status} ${await response.text()}`);
  }
}

const isOf =
  (family: "microsoft" | "google") =>
  (row: { family: string }): boolean =>
    row.family === family;

type Tenant = Awaited<ReturnType<typeof readTenants>>[number];
type Held = Awaited<ReturnType<typeof readSubscriptions>>[number];

async function readTenants(db: Db, owner: string) {
  return db
    .selectFrom("tenants")
    .innerJoin("customers", "customers.id", "tenants.customer_id")
    .innerJoin("members", "members.customer_id", "tenants.customer_id")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["tenants.family", "tenants.external_id", "tenants.domain", "tenants.name", "customers.country"])
    .where("users.email", "=", owner)
    .execute();
}

async function readSubscriptions(db: Db, owner: string) {
  return db
    .selectFrom("subscriptions")
    .innerJoin("members", "members.customer_id", "subscriptions.customer_id")
    .innerJoin("users", "users.id", "members.user_id")
    .innerJoin("tenants", "tenants.id", "subscriptions.tenant_id")
    .innerJoin("customers", "customers.id", "subscriptions.customer_id")
    .innerJoin("vendor_items", (join) =>
      join
        .onRef("vendor_items.item_id", "=", "subscriptions.item_id")
        .onRef("vendor_items.country", "=", "customers.country"),
    )
    .leftJoin("subscriptions as parents", "parents.id", "subscriptions.parent_subscription_id")
    .select([
      "subscriptions.family",
      "subscriptions.external_id",
      "subscriptions.quantity",
      "subscriptions.term",
      "subscriptions.billing_cycle",
      "subscriptions.status",
      "subscriptions.start_date",
      "subscriptions.end_date",
      "tenants.external_id as tenant_external_id",
      "vendor_items.product_id",
      "vendor_items.sku_id",
      "parents.external_id as parent_external_id",
    ])
    .where("users.email", "=", owner)
    .execute();
}

async function readPayments(db: Db, owner: string) {
  const rows = await db
    .selectFrom("payments")
    .innerJoin("orders", "orders.id", "payments.order_id")
    .innerJoin("members", "members.customer_id", "orders.customer_id")
    .innerJoin("users", "users.id", "members.user_id")
    .select([
      "payments.provider_payment_id as id",
      "payments.provider_order_id as orderId",
      "payments.account",
      "payments.amount_minor as amount",
      "payments.currency",
      "payments.settled_at as paidAt",
    ])
    .where("users.email", "=", owner)
    .where("payments.status", "=", "captured")
    .execute();
  return rows.filter(({ account, amount, paidAt }) => account !== null && amount !== null && paidAt !== null);
}

function toMicrosoftCustomer({ external_id, domain, name, country }: Tenant) {
  return { id: external_id, domain, companyName: name, country, gdap: true };
}

function toMicrosoftSubscription(row: Held) {
  return {
    customerId: row.tenant_external_id,
    id: row.external_id,
    productId: row.product_id,
    skuId: row.sku_id,
    quantity: row.quantity,
    assigned: assignedOf(row),
    termDuration: row.term,
    billingCycle: row.billing_cycle,
    effectiveStartDate: row.start_date.toISOString(),
    commitmentEndDate: row.end_date.toISOString(),
    status: row.status === "cancelled" ? "deleted" : row.status,
    autoRenewEnabled: false,
    endsWithTerm: true,
    ...(row.parent_external_id === null ? {} : { parentSubscriptionId: row.parent_external_id }),
  };
}

/** Licences in use. A few are left, as in most companies. */
const assignedOf = ({ quantity }: Held) => Math.floor(quantity * 0.75);

function toGoogleCustomer({ external_id, domain, name }: Tenant) {
  return { name: external_id, domain, orgDisplayName: name };
}

function toGoogleEntitlement(row: Held) {
  return {
    name: row.external_id,
    sku: `products/${row.product_id}/skus/${row.sku_id}`,
    numUnits: row.quantity,
    assigned: assignedOf(row),
    startTime: row.start_date.toISOString(),
    endTime: row.end_date.toISOString(),
  };
}
