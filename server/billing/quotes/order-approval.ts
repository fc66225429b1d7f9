/**
 * Whether an order needs an approver's yes before it is placed, by its company's rules (docs/decisions/quotes.md#company-rules). The yes is that of
 * the order's quote in force, so any change of the order voids it.
 */
import { readRulesFor, sumOrderedSince } from "#db/accounts/company-rules.ts";
import { lockCustomer, selectMembers } from "#db/accounts/members.ts";
import type { CustomerId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { findMembership } from "#server/accounts/customers.ts";
import { roleMay } from "#server/accounts/roles.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import type { Requester } from "#server/orders/find.ts";
import { startOfDay, zonedMonth } from "#server/orders/subscriptions/dates.ts";
import { findLatestVersion, isInForce } from "./quote.ts";
import { listQuoteRequests } from "./requests.ts";

/**
 * Returns the reason, for the buyer, why an order needs an approval before it is placed; null when it does not, or is approved.
 * Final only in a transaction that has locked the company; pages call it without a lock.
 */
export async function whyOrderApprovalNeeded(
  db: Db,
  order: Order,
  requester: Requester,
  now: Date,
): Promise<MessageDescriptor | null> {
  const broken = await ruleBroken(db, order, requester, now);
  return broken === null || (await hasYes(db, order, requester, now)) ? null : broken;
}

/**
 * Requires the approval when an order is placed. Locks the company until the transaction ends, so that of two concurrent orders
 * the second sees the first.
 * @throws DomainError conflict
 */
export async function requireOrderApproval(
  trx: Trx,
  order: Order,
  requester: Requester,
  now: Date,
): Promise<void> {
  if (order.customerId !== null) await lockCustomer(trx, order.customerId);
  const needed = await whyOrderApprovalNeeded(trx, order, requester, now);
  if (needed !== null) throw new DomainError("conflict", needed);
}

async function ruleBroken(
  db: Db,
  order: Order,
  requester: Requester,
  now: Date,
): Promise<MessageDescriptor | null> {
  const { customerId, total } = order;
  const { userId } = requester;
  if (customerId === null || userId === null) return null;
  const buyer = await readRulesFor(db, customerId, userId);
  if (buyer === null) return null;
  const { role, country, limit } = buyer;
  const { approvalAboveMinor, includesOwners } = buyer.rules;
  if (roleMay(role, "manage") && !includesOwners) return null;
  const { currency } = countries[country];
  const over = (most: number | null, minor: number) => most !== null && minor > most;
  const inWords = (minor: number) => formatMoney(money(minor, currency));
  const isAny = [approvalAboveMinor, limit.perOrderMinor, limit.perMonthMinor].some((most) => most !== null);
  if (!isAny) return null;
  // A rule in rupees cannot measure an order in dollars, so a person decides.
  if (total.currency !== currency) return msg("rules.otherCurrency", { currency });
  if (approvalAboveMinor !== null && over(approvalAboveMinor, total.minor))
    return msg("rules.aboveAmount", { most: inWords(approvalAboveMinor) });
  if (limit.perOrderMinor !== null && over(limit.perOrderMinor, total.minor))
    return msg("rules.abovePerOrder", { most: inWords(limit.perOrderMinor) });
  if (limit.perMonthMinor === null) return null;
  const orderedMinor = await sumOrderedSince(db, {
    customerId,
    userId,
    currency,
    except: order.id,
    since: startOfDay(`${zonedMonth(now, country)}-01`, country),
  });
  return over(limit.perMonthMinor, orderedMinor + total.minor)
    ? msg("rules.abovePerMonth", { most: inWords(limit.perMonthMinor), ordered: inWords(orderedMinor) })
    : null;
}

/** Whether the quote in force was approved by a member who may still approve and is not the buyer. */
async function hasYes(db: Db, order: Order, { userId }: Requester, now: Date): Promise<boolean> {
  const { customerId } = order;
  const quote = order.isQuoted ? await findLatestVersion(db, order.id) : null;
  if (customerId === null || quote === null || !isInForce(quote, order, now)) return false;
  for (const { kind, answer, askedBy } of await listQuoteRequests(db, quote.id)) {
    const approver = kind === "approve" && answer?.what === "approved" ? answer.approverId : null;
    if (approver === null || [userId, order.userId, askedBy].includes(approver)) continue;
    const member = await findMembership(db, approver, customerId);
    if (member !== null && roleMay(member.role, "approve")) return true;
  }
  return false;
}

/** Lists the emails of the members who can approve an order of this buyer. */
export async function listApprovers(
  db: Db,
  customerId: CustomerId,
  { userId }: Pick<Requester, "userId">,
): Promise<string[]> {
  const members = await selectMembers(db, customerId);
  return members
    .filter((member) => roleMay(member.role, "approve") && member.userId !== userId)
    .map(({ email }) => email);
}
