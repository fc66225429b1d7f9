/** GET /api/subscriptions: a company's active and ended subscriptions. */
import type { ListedSubscription } from "#db/orders/subscriptions.ts";
import { listActiveSubscriptions, listEndedSubscriptions } from "#server/orders/subscriptions/lists.ts";
import { companyFor } from "./shared/company.ts";
import { dateField, familyField, rowLimit, termField } from "./shared/fields.ts";
import { apiLoader, sessionAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

const row = z.object({
  id: z.string(),
  item_name: z.string(),
  item_family: familyField,
  plan: termField.describe("the commitment"),
  domain: z.string(),
  quantity: z.int(),
  state: z
    .enum(["active", "waiting_for_terms", "suspended", "expired", "cancelled", "transferred"])
    .describe(
      "waiting_for_terms: active, but its administrator hasn't accepted the vendor's terms; suspended: active, but stopped by the vendor; transferred: moved away from us",
    ),
  start_date: dateField.describe("of the running term"),
  end_date: dateField.describe("of the last term that is paid for"),
});
const cursor = z.string().max(200);

export const loader = apiLoader(
  {
    summary: "A company's subscriptions: the active ones, and the expired.",
    notes:
      "Each list has up to `limit` rows; while there are more, next_active or next_expired is what active_page or expired_page asks for them with.",
    tag: "Subscription",
    access: sessionAccess,
    refuses: [404],
    query: z.object({
      customerId: z.string().max(64),
      itemFamily: familyField.optional().describe("all if omitted"),
      limit: rowLimit,
      active_page: cursor.optional(),
      expired_page: cursor.optional(),
    }),
    reply: z.object({
      active_subscriptions: z.array(row).describe("soonest to end first"),
      expired_subscriptions: z.array(row).describe("most recently ended first"),
      next_active: z.string().nullable(),
      next_expired: z.string().nullable(),
    }),
  },
  async (request, { customerId, itemFamily: family, limit, active_page, expired_page }) => {
    const company = await companyFor(request, customerId);
    const { db } = request.context;
    const now = new Date();
    const query = { family, limit };
    const active = await listActiveSubscriptions(db, company.id, { ...query, page: active_page }, now);
    const ended = await listEndedSubscriptions(db, company.id, { ...query, page: expired_page }, now);
    return {
      active_subscriptions: active.rows.map(rowOf),
      expired_subscriptions: ended.rows.map(rowOf),
      next_active: active.nextPage,
      next_expired: ended.nextPage,
    };
  },
);

function rowOf(listed: ListedSubscription): z.input<typeof row> {
  const { id, name, family, term, domain, quantity, start, end } = listed;
  return {
    id,
    item_name: name,
    item_family: family,
    plan: term,
    domain,
    quantity,
    state: stateOf(listed),
    start_date: start.toISOString(),
    end_date: end.toISOString(),
  };
}

function stateOf({ status, isSuspended, waitsForTerms }: ListedSubscription): z.input<typeof row>["state"] {
  if (status !== "active") return status;
  if (isSuspended) return "suspended";
  return waitsForTerms ? "waiting_for_terms" : status;
}
