/**
 * Queries on a company's rules for its orders, and on the amounts that they limit. Amounts are in minor units of the company's
 * currency.
 */
import { sql } from "kysely";
import type { CustomerId, OrderId, UserId } from "#db/ids.ts";
import type { Country, Currency, MemberRole } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** Limits above which orders need an approver's consent. */
export interface CompanyRules {
  /** Orders above it need approval; null = none does. */
  approvalAboveMinor: number | null;
  /** Whether owners' orders need approval too. */
  includesOwners: boolean;
}

/** Limits of one buyer; null = no limit. */
export interface BuyerLimit {
  perOrderMinor: number | null;
  perMonthMinor: number | null;
}

export async function readCompanyRules(db: Db, customerId: CustomerId): Promise<CompanyRules> {
  const row = await db
    .selectFrom("company_rules")
    .select(["approval_above_minor as approvalAboveMinor", "includes_owners as includesOwners"])
    .where("customer_id", "=", customerId)
    .executeTakeFirst();
  return row ?? { approvalAboveMinor: null, includesOwners: false };
}

export async function saveCompanyRules(
  trx: Trx,
  customerId: CustomerId,
  { approvalAboveMinor, includesOwners }: CompanyRules,
): Promise<void> {
  const rules = { approval_above_minor: approvalAboveMinor, includes_owners: includesOwners };
  await trx
    .insertInto("company_rules")
    .values({ customer_id: customerId, ...rules })
    .onConflict((conflict) => conflict.column("customer_id").doUpdateSet(rules))
    .execute();
}

/** Returns the rules of a company and a member's own limit; null for a user who is not a member. */
export async function readRulesFor(
  db: Db,
  customerId: CustomerId,
  userId: UserId,
): Promise<{ role: MemberRole; country: Country; rules: CompanyRules; limit: BuyerLimit } | null> {
  const row = await db
    .selectFrom("members")
    .innerJoin("customers", "customers.id", "members.customer_id")
    .leftJoin("company_rules", "company_rules.customer_id", "members.customer_id")
    .leftJoin("buyer_limits", (join) =>
      join
        .onRef("buyer_limits.customer_id", "=", "members.customer_id")
        .onRef("buyer_limits.user_id", "=", "members.user_id"),
    )
    .select([
      "members.role",
      "customers.country",
      "company_rules.approval_above_minor as approvalAboveMinor",
      "company_rules.includes_owners as includesOwners",
      "buyer_limits.per_order_minor as perOrderMinor",
      "buyer_limits.per_month_minor as perMonthMinor",
    ])
    .where("members.customer_id", "=", customerId)
    .where("members.user_id", "=", userId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { role, country, approvalAboveMinor, includesOwners, perOrderMinor, perMonthMinor } = row;
  return {
    role,
    country,
    rules: { approvalAboveMinor, includesOwners: includesOwners ?? false },
    limit: { perOrderMinor, perMonthMinor },
  };
}

/** Lists the limits of members who have one. */
export async function listBuyerLimits(db: Db, customerId: CustomerId): Promise<Map<UserId, BuyerLimit>> {
  const rows = await db
    .selectFrom("buyer_limits")
    .select(["user_id", "per_order_minor as perOrderMinor", "per_month_minor as perMonthMinor"])
    .where("customer_id", "=", customerId)
    .execute();
  return new Map(rows.map(({ user_id, ...limit }) => [user_id, limit]));
}

export async function saveBuyerLimit(
  trx: Trx,
  { customerId, userId }: { customerId: CustomerId; userId: UserId },
  { perOrderMinor, perMonthMinor }: BuyerLimit,
): Promise<void> {
  const limit = { per_order_minor: perOrderMinor, per_month_minor: perMonthMinor };
  await trx
    .insertInto("buyer_limits")
    .values({ customer_id: customerId, user_id: userId, ...limit })
    .onConflict((conflict) => conflict.columns(["customer_id", "user_id"]).doUpdateSet(limit))
    .execute();
}

/**
 * Sums a buyer's other orders for a company that were paid, placed or approved since a moment. Orders in the cart count if they
 * were placed or their latest quote is approved. Refunded money does not count.
 */
export async function sumOrderedSince(
  db: Db,
  by: { customerId: CustomerId; userId: UserId; currency: Currency; except: OrderId; since: Date },
): Promise<number> {
  const own = () =>
    db
      .selectFrom("orders")
      .select(sql<number>`coalesce(sum(orders.total_minor), 0)::bigint`.as("minor"))
      .where("orders.customer_id", "=", by.customerId)
      .where("orders.user_id", "=", by.userId)
      .where("orders.currency", "=", by.currency)
      .where("orders.id", "<>", by.except);
  const paid = await own()
    .where(
      sql<boolean>`orders.payment_status in ('completed', 'partly_refunded', 'refunded', 'disputed', 'lost')`,
    )
    .where("orders.payment_status", "not in", ["refunded", "lost"])
    .where("orders.paid_at", ">=", by.since)
    .executeTakeFirstOrThrow();
  const inCart = await own()
    .where(sql<boolean>`orders.payment_status in ('none', 'pending', 'failed') and orders.removed_at is null`)
    .where(({ and, eb, exists, or, selectFrom }) =>
      or([
        and([eb("orders.payment_status", "=", "pending"), eb("orders.terms_accepted_at", ">=", by.since)]),
        exists(
          selectFrom("quotes")
            .innerJoin("quote_requests", "quote_requests.quote_id", "quotes.id")
            .select("quotes.id")
            .whereRef("quotes.order_id", "=", "orders.id")
            .where("quote_requests.answer", "=", "approved")
            .where("quote_requests.answered_at", ">=", by.since)
            .where(({ not, exists: isThere, selectFrom: from }) =>
              not(
                isThere(
                  from("quotes as later")
                    .select("later.id")
                    .whereRef("later.order_id", "=", "quotes.order_id")
                    .whereRef("later.version", ">", "quotes.version"),
                ),
              ),
            ),
        ),
      ]),
    )
    .executeTakeFirstOrThrow();
  return paid.minor + inCart.minor;
}
