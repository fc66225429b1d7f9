/**
 * Writes a vendor's reading of a subscription to its row: at the end of each order, every night, and when the vendor announces a change.
 * A difference that costs money alerts the operator (docs/decisions/fulfilment.md#source-of-truth).
 */

import { findTenant, type Tenant } from "#db/accounts/tenants.ts";
import { productOfKey, productsOfItems } from "#db/catalogue/vendor-catalogue.ts";
import type { SubscriptionId } from "#db/ids.ts";
import { listInAccount } from "#db/orders/subscription-lists.ts";
import { hasOpenOrder, type Subscription, updateSubscription } from "#db/orders/subscriptions.ts";
import { saveVendorSnapshot } from "#db/orders/vendor-snapshots.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { TenantRules } from "#server/catalogue/families/family.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { isSameEnd } from "#server/catalogue/families/same-end.ts";
import type { Destination } from "#server/catalogue/families/subscription-at-vendor.ts";
import { waitForQuota } from "#server/catalogue/families/vendor-quota.ts";
import type {
  ListedVendorSubscription,
  VendorSubscription,
} from "#server/catalogue/families/vendor-subscription.ts";
import { licences } from "#server/catalogue/pricing/quantity.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { queueOperatorVendorAlert } from "#server/foundation/outbox/mail.ts";
import type { Context } from "#server/platform/context.ts";
import { changesFromAbsence, changesFromVendor, type VendorChanges } from "./apply-vendor-state.ts";
import { notifyOfCancellationWindow, notifyOfEnd, notifyRecipients } from "./notify-members.ts";
import { queueStopRenewal } from "./queue.ts";
import { findSubscription, lockSubscription } from "./subscription.ts";

/** A subscription whose row has changed, with the changes. */
export interface RefreshedSubscription {
  subscriptionId: SubscriptionId;
  changes: VendorChanges;
}

/**
 * Applies a vendor's reading to the row and stores it.
 * @param row read and locked in this transaction
 * @param says null when the vendor does not have it
 * @param askedAt time of the request; a reading older than the row's last one is ignored
 */
export async function applyVendorSnapshot(
  trx: Trx,
  row: Subscription,
  says: VendorSubscription | null,
  askedAt: Date,
): Promise<VendorChanges> {
  if (row.readAt !== null && row.readAt > askedAt) return {};
  const changes = says === null ? changesFromAbsence(row, askedAt) : changesFromVendor(row, says, askedAt);
  await updateSubscription(trx, row.id, { ...changes, readAt: askedAt });
  await saveVendorSnapshot(trx, row.id, says, askedAt);
  const names = Object.keys(changes);
  if (names.length > 0) {
    const before = Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
    await recordAudit(trx, {
      userId: null,
      action: "subscription.follow",
      subject: `subscription:${row.id}`,
      data: { before: JSON.stringify(before), after: JSON.stringify(changes) },
    });
  }
  // The expiry job skips a subscription that its vendor has ended, so send its mail here.
  if (changes.status === "expired" && row.next === null) await notifyOfEnd(trx, row);
  // Likewise, the job begins no term that the vendor has already begun.
  if (row.next !== null && changes.next === null && changes.start !== undefined)
    await notifyOfCancellationWindow(trx, { ...row, ...changes });
  await tellOfMoney(trx, row, says, changes);
  if (row.extendedUntil === null && changes.extendedUntil != null)
    await notifyRecipients(
      trx,
      row,
      "subscription-extended",
      `subscription-extended:${row.id}:${row.end.toISOString()}`,
    );
  const now = { ...row, ...changes };
  const goesOn = says !== null && says.atEnd !== "ends" && !says.isExtended;
  if (goesOn && row.orderId !== null && now.status === "active" && now.next === null)
    await queueStopRenewal(trx, row.id);
  return changes;
}

/** Alerts the operator, once per difference, when the vendor bills more or provides less than the buyer paid for. */
async function tellOfMoney(
  trx: Trx,
  row: Subscription,
  says: VendorSubscription | null,
  changes: VendorChanges,
): Promise<void> {
  if (row.orderId === null) return;
  const { label } = families[row.family];
  const what = differenceIn(row, says, changes, label);
  if (what === null) return;
  await queueOperatorVendorAlert(trx, {
    dedupeKey: `vendor-differs:${row.id}:${what}`,
    subject: `${label} doesn't match the paid order: ${row.domain}`,
    what: `${row.name} of ${row.domain} (subscription ${row.id}, at ${label} ${row.externalId}): ${what}`,
  });
}

function differenceIn(
  row: Subscription,
  says: VendorSubscription | null,
  { quantity, end, status, next }: VendorChanges,
  label: string,
): string | null {
  if (says?.isExtended)
    return `${label} extended it past its term and is billing us. We told its owners that renewing ends the extension. If they don't renew, end it there.`;
  if (row.next !== null && next !== null) {
    const isOver = says?.state === "expired" || says?.state === "cancelled";
    const isLost =
      says === null ? status !== undefined : isOver || (says.state !== null && says.atEnd !== "renews");
    if (isLost)
      return `the term from ${row.next.start.toISOString()} is paid for, but ${label} won't renew it.`;
    // Changing licences in mid-term, even in the vendor's console, drops a scheduled change.
    const renewed = says?.nextQuantity ?? says?.quantity ?? row.next.quantity;
    if (renewed < row.next.quantity)
      return `the term from ${row.next.start.toISOString()} is paid for with ${licences(row.next.quantity)}, and ${label} renews ${renewed}. Schedule the rest there.`;
  }
  if (quantity !== undefined && quantity > Math.max(row.quantity, row.reducedFrom ?? 0))
    return `${label} has ${licences(quantity)}, but only ${row.quantity} are paid for.`;
  if (end !== undefined && row.next === null && end > row.end && !isSameEnd(row.end.toISOString(), end))
    return `${label} has it until ${end.toISOString()}, but it's paid only until ${row.end.toISOString()}.`;
  return null;
}

/** Runs the job. An order at work on the subscription refreshes it when it is done. @throws ProviderError */
export async function refreshSubscription(context: Context, id: SubscriptionId): Promise<VendorChanges> {
  const { db } = context;
  const row = await findSubscription(db, id);
  const tenant = row === null || row.tenantId === null ? null : await findTenant(db, row.tenantId);
  if (row === null || tenant === null) return {};
  const askedAt = new Date();
  const says = await ask(context, row, tenant);
  const changes = await db.transaction().execute((trx) => applyUnlessOrdered(trx, row, says, askedAt));
  if (Object.keys(changes).length > 0)
    context.log.info({ subscriptionId: id, changes }, "a subscription was changed at its vendor");
  return changes;
}

/** Reads one subscription, at most one per second: below every vendor's read limit, which orders share. */
async function ask(
  context: Context,
  { family, externalId }: Subscription,
  place: Pick<Destination, "externalId" | "country">,
): Promise<VendorSubscription | null> {
  const { tenants } = families[family];
  if (tenants === null) throw new RangeError(`The family ${family} has no accounts to ask`);
  await waitForQuota(context, { name: `${family}-refresh`, key: place.country, limit: 1, windowSeconds: 1 });
  return tenants.findHeld(context, place, externalId);
}

/**
 * Applies a vendor's list of a tenant to the subscriptions known here, each in its own transaction. A subscription missing in
 * the list is requested separately before it counts as transferred.
 * @throws ProviderError
 */
export async function refreshAccount(
  context: Context,
  place: Tenant,
  keyOf: TenantRules["keyOf"],
  listed: readonly ListedVendorSubscription[],
  askedAt: Date,
): Promise<RefreshedSubscription[]> {
  const said = new Map(listed.map(({ says }) => [keyOf(says.externalId), says]));
  const rows = await listInAccount(context.db, place);
  const renamed = await extensionsByRow(context.db, { place, rows, listed, keyOf, askedAt });
  const refreshed: RefreshedSubscription[] = [];
  for (const row of rows) {
    const inList = said.get(keyOf(row.externalId)) ?? renamed.get(row.id);
    if (inList === undefined && row.status !== "active") continue;
    const says = inList ?? (await ask(context, row, place));
    const changes = await context.db
      .transaction()
      .execute((trx) => applyUnlessOrdered(trx, row, says, askedAt));
    if (Object.keys(changes).length > 0) refreshed.push({ subscriptionId: row.id, changes });
  }
  return refreshed;
}

/**
 * Maps extensions that the vendor lists under new ids to rows. An extension with an unknown id belongs to the one
 * ended subscription of its product that is not in the list by its own id (docs/decisions/renewal.md#end-of-term).
 */
async function extensionsByRow(
  db: Db,
  account: {
    place: Tenant;
    rows: readonly Subscription[];
    listed: readonly ListedVendorSubscription[];
    keyOf: TenantRules["keyOf"];
    askedAt: Date;
  },
): Promise<Map<SubscriptionId, VendorSubscription>> {
  const { place, rows, listed, keyOf, askedAt } = account;
  const known = new Set(rows.map(({ externalId }) => keyOf(externalId)));
  const unknown = listed.filter(({ says }) => says.isExtended && !known.has(keyOf(says.externalId)));
  if (unknown.length === 0) return new Map();
  const inList = new Set(listed.map(({ says }) => keyOf(says.externalId)));
  const gone = rows.filter(({ end, externalId }) => end <= askedAt && !inList.has(keyOf(externalId)));
  const products = await productsOfItems(db, place.family);
  return new Map(
    unknown.flatMap(({ says, reading }) => {
      if (reading.is !== "unsupported") return [];
      const product = productOfKey(reading.sku);
      const [row, ...others] = gone.filter(({ itemId }) => products.get(itemId)?.has(product));
      return row === undefined || others.length > 0 ? [] : [[row.id, says] as const];
    }),
  );
}

/**
 * Applies a reading unless an order is changing the subscription.
 * @param subscription the row at the time of the request; a renewal may have given it another vendor id since
 */
async function applyUnlessOrdered(
  trx: Trx,
  subscription: Subscription,
  says: VendorSubscription | null,
  askedAt: Date,
): Promise<VendorChanges> {
  const row = await lockSubscription(trx, subscription.id);
  if (row.externalId !== subscription.externalId || row.isBeingChanged || (await hasOpenOrder(trx, row.id)))
    return {};
  return applyVendorSnapshot(trx, row, says, askedAt);
}
