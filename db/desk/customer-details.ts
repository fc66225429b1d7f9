/** All data stored about a company, as its page in Desk shows it. */
import { sql } from "kysely";
import type { CustomerId, OrderId, SubscriptionId, TenantId, UserId } from "#db/ids.ts";
import type {
  ControlMethod,
  Currency,
  FamilyId,
  FulfilmentStatus,
  MemberRole,
  OrderKind,
  PaymentStatus,
  Stage,
  SubscriptionStatus,
  Term,
} from "#db/tables/enums.ts";
import type { VendorReadingsTable } from "#db/tables/fulfilment.ts";
import type { Db } from "#db/tables/index.ts";
import type { RegistrationState } from "#db/tables/invoices.ts";

export interface CompanyPerson {
  userId: UserId;
  name: string;
  email: string;
  role: MemberRole;
  isProven: boolean;
  isDisabled: boolean;
  isLocked: boolean;
  /** Last known sign-in: sessions are deleted a month after they end. */
  lastSignIn: Date | null;
}

/** Lists a company's members, in the order of joining. */
export async function listPeople(db: Db, customerId: CustomerId): Promise<CompanyPerson[]> {
  return db
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select(({ eb, selectFrom }) => [
      "users.id as userId",
      sql<string>`trim(concat(users.first_name, ' ', users.last_name))`.as("name"),
      "users.email",
      "members.role",
      eb("users.email_verified_at", "is not", null).$castTo<boolean>().as("isProven"),
      eb("users.disabled_at", "is not", null).$castTo<boolean>().as("isDisabled"),
      eb("users.locked_at", "is not", null).$castTo<boolean>().as("isLocked"),
      selectFrom("sessions")
        .select(({ fn }) => fn.max("sessions.created_at").as("last"))
        .whereRef("sessions.user_id", "=", "users.id")
        .$castTo<{ last: Date | null }>()
        .as("lastSignIn"),
    ])
    .where("members.customer_id", "=", customerId)
    .orderBy("members.created_at")
    .orderBy("members.user_id")
    .execute();
}

export interface LinkedTenant {
  id: TenantId;
  family: FamilyId;
  externalId: string;
  domain: string;
  createdAt: Date;
  /** Method of the company's last control proof; null for none. */
  method: ControlMethod | null;
  /** End of the proof's validity; null if it does not expire. */
  provenUntil: Date | null;
  evidence: string | null;
  reference: string | null;
  boundBy: string | null;
}

/** Lists a company's tenants with the proof that lasts longest, by family and domain. */
export async function listLinkedTenants(db: Db, customerId: CustomerId): Promise<LinkedTenant[]> {
  const { rows } = await sql<LinkedTenant>`
    select t.id, t.family, t.external_id as "externalId", t.domain, t.created_at as "createdAt", p.method,
           p.expires_at as "provenUntil", p.evidence, p.reference, p.bound_by as "boundBy"
    from tenants t
    left join lateral (
      select method, expires_at, evidence, reference, bound_by from control_proofs p
      where p.customer_id = t.customer_id and p.family = t.family and lower(p.tenant_external_id) = lower(t.external_id)
      order by expires_at desc nulls first limit 1
    ) p on true
    where t.customer_id = ${customerId}
    order by t.family, t.domain, t.id`.execute(db);
  return rows;
}

/** A subscription with its vendor's last reported state. */
export interface SubscriptionWithVendorState {
  id: SubscriptionId;
  name: string;
  family: FamilyId;
  domain: string;
  status: SubscriptionStatus;
  quantity: number;
  term: Term;
  start: Date;
  /** End of the running term. */
  end: Date;
  /** End of the next term, when it is paid for. */
  nextEnd: Date | null;
  isSuspended: boolean;
  readAt: Date | null;
  says: {
    isThere: boolean;
    state: VendorReadingsTable["state"];
    quantity: number | null;
    end: Date | null;
    atEnd: VendorReadingsTable["at_end"];
    readAt: Date;
  } | null;
}

/** Lists active subscriptions first, the first to end at the top. @param limit the maximum number */
export async function listSubscriptionsWithVendorState(
  db: Db,
  customerId: CustomerId,
  limit: number,
): Promise<SubscriptionWithVendorState[]> {
  const rows = await db
    .selectFrom("subscriptions")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .leftJoin("vendor_readings", "vendor_readings.subscription_id", "subscriptions.id")
    .select([
      "subscriptions.id",
      "catalogue_items.name",
      "subscriptions.family",
      "subscriptions.domain",
      "subscriptions.status",
      "subscriptions.quantity",
      "subscriptions.term",
      "subscriptions.start_date",
      "subscriptions.end_date",
      "subscriptions.next_term_start",
      "subscriptions.suspended",
      "subscriptions.read_at",
      "vendor_readings.is_there",
      "vendor_readings.state",
      "vendor_readings.quantity as saidQuantity",
      "vendor_readings.term_end",
      "vendor_readings.at_end",
      "vendor_readings.read_at as saidAt",
    ])
    // Selects the page's rows before the vendors' states are joined.
    .where(
      sql<boolean>`subscriptions.id = any(array(
        select id from subscriptions where customer_id = ${customerId}
        order by status = 'active' desc, end_date, id limit ${limit}))`,
    )
    .orderBy(sql`subscriptions.status = 'active'`, "desc")
    .orderBy("subscriptions.end_date")
    .orderBy("subscriptions.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    family: row.family,
    domain: row.domain,
    status: row.status,
    quantity: row.quantity,
    term: row.term,
    start: row.start_date,
    end: row.next_term_start ?? row.end_date,
    nextEnd: row.next_term_start === null ? null : row.end_date,
    isSuspended: row.suspended,
    readAt: row.read_at,
    says:
      row.saidAt === null || row.is_there === null
        ? null
        : {
            isThere: row.is_there,
            state: row.state,
            quantity: row.saidQuantity,
            end: row.term_end,
            atEnd: row.at_end,
            readAt: row.saidAt,
          },
  }));
}

export interface OrderOfCustomer {
  id: OrderId;
  number: number;
  createdAt: Date;
  kind: OrderKind;
  item: string;
  quantity: number;
  totalMinor: number;
  currency: Currency;
  stage: Stage;
  paymentStatus: PaymentStatus;
  fulfilmentStatus: FulfilmentStatus;
}

/** Lists a company's orders, newest first. */
export async function listOrdersOfCustomer(
  db: Db,
  customerId: CustomerId,
  limit: number,
): Promise<OrderOfCustomer[]> {
  return db
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .select([
      "orders.id",
      "orders.number",
      "orders.created_at as createdAt",
      "orders.kind",
      "orders.total_minor as totalMinor",
      "orders.currency",
      "orders.stage",
      "orders.payment_status as paymentStatus",
      "orders.fulfilment_status as fulfilmentStatus",
      "order_lines.name as item",
      "order_lines.quantity",
    ])
    .where("orders.customer_id", "=", customerId)
    .where("order_lines.position", "=", 0)
    .orderBy("orders.created_at", "desc")
    .orderBy("orders.id")
    .limit(limit)
    .execute();
}

export interface DocumentOfCustomer {
  number: string;
  kind: "invoice" | "credit note";
  issuedAt: Date;
  orderId: OrderId;
  orderNumber: number;
  orderBegun: Date;
  totalMinor: number;
  currency: Currency;
  /** State at the registration portal; null if documents are not registered. */
  registration: RegistrationState | null;
}

/** Lists invoices and credit notes, newest first. */
export async function listDocumentsOfCustomer(
  db: Db,
  customerId: CustomerId,
  limit: number,
): Promise<DocumentOfCustomer[]> {
  const orders = sql`(select id from orders where customer_id = ${customerId})`;
  const { rows } = await sql<DocumentOfCustomer>`
    select d.*, e.state as registration from (
      select i.number, 'invoice' as kind, i.issued_at as "issuedAt", o.id as "orderId", o.number as "orderNumber",
             o.created_at as "orderBegun", o.total_minor as "totalMinor", o.currency
      from invoices i join orders o on o.id = i.order_id where i.order_id = any(array${orders})
      union all
      select c.number, 'credit note', c.issued_at, o.id, o.number, o.created_at, c.total_minor, c.currency
      from credit_notes c join orders o on o.id = c.order_id where c.order_id = any(array${orders})
    ) d
    left join e_invoices e on e.number = d.number
    order by d."issuedAt" desc, d.number limit ${limit}`.execute(db);
  return rows;
}
