/**
 * Reads every tenant at its vendor once a day: refreshes known subscriptions (refresh.ts), and imports those that customers
 * bought elsewhere under the same reseller, so that they can be extended and renewed here. Only running subscriptions are
 * imported: one that lapsed and was bought again by a renewal has a new id here, and its old id would be imported as a separate
 * subscription.
 */

import type { Tenant } from "#db/accounts/tenants.ts";
import { itemsByVendorKey } from "#db/catalogue/vendor-catalogue.ts";
import { type ItemId, newId, type SubscriptionId } from "#db/ids.ts";
import {
  claimAccountsForSync,
  clockOf,
  findProvenOwners,
  findTenantWithSubscriptions,
  insertImportedSubscription,
  isOrderUnderWay,
  listAccounts,
  listKnownSubscriptions,
  type SyncedAccount,
} from "#db/orders/sync.ts";
import { saveVendorSnapshot } from "#db/orders/vendor-snapshots.ts";
import type { Trx } from "#db/tables/index.ts";
import type { TenantRules } from "#server/catalogue/families/family.ts";
import type { ParsedSubscription, ParseResult } from "#server/catalogue/families/parsed-subscription.ts";
import { families, familiesWithTenants } from "#server/catalogue/families/registry.ts";
import type { LicenceUse, ListedVendorSubscription } from "#server/catalogue/families/vendor-subscription.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { type RefreshedSubscription, refreshAccount } from "./refresh.ts";

export interface SyncOptions {
  now?: Date;
  /** Set by tests only; the vendor's quota decides otherwise. */
  secondsBetweenLists?: number;
}

export interface ImportedSubscription {
  subscriptionId: SubscriptionId;
  itemId: ItemId;
  quantity: number;
  domain: string;
}

export interface SyncResult {
  /** Subscriptions that were known here and had changed at the vendor. */
  refreshed: RefreshedSubscription[];
  takenIn: ImportedSubscription[];
  /** Running at the vendor but not sold here: the SKU and the reason. */
  notOurs: { sku: string; why: string }[];
  /** Reason why nothing was imported this time. */
  passedOver:
    | "held by two companies"
    | "nobody's by proof"
    | "an order is under way"
    | "refused by the provider"
    | null;
}

/** The most that one night can sync in sequence within the vendors' quota for lists. */
const accountsANight = 10_000;
const batch = 100;

/**
 * Queues the tenants that have waited longest, one job each, run in sequence. A failing tenant does not stop the others, and a
 * worker that shuts down need not wait for all of them.
 * @param most for tests; by default as many as a night can sync
 */
export async function queueSyncs({ db }: Context, most = accountsANight): Promise<void> {
  const before = await clockOf(db);
  for (let count = 0; count < most; ) {
    const limit = Math.min(batch, most - count);
    const taken = await db.transaction().execute(async (trx) => {
      const accounts = await claimAccountsForSync(trx, { families: familiesWithTenants, before, limit });
      for (const account of accounts) {
        await addJob(trx, "sync-account", account, {
          jobKey: `sync:${account.family}:${account.externalId}`,
          queueName: "sync",
          maxAttempts: 3,
        });
      }
      return accounts.length;
    });
    if (taken === 0) return;
    count += taken;
  }
}

export interface AccountReport extends SyncResult {
  account: SyncedAccount;
}

/**
 * Syncs all tenants now, for `npm run sync`.
 * @param onReport called for each tenant; a failure is logged, and the next tenant follows
 */
export async function syncAll(
  context: Context,
  onReport: (report: AccountReport | { account: SyncedAccount; failed: string }) => void,
  options: SyncOptions = {},
): Promise<void> {
  for (const account of await listAccounts(context.db, familiesWithTenants)) {
    try {
      onReport({ account, ...(await syncAccount(context, account, options)) });
    } catch (error) {
      context.log.warn({ err: error, account }, "an account was not synced");
      onReport({ account, failed: error instanceof Error ? error.message : "unknown error" });
    }
  }
}

/**
 * Syncs a tenant: refreshes its known subscriptions and imports unknown ones. Safe to run concurrently with itself and with
 * orders.
 * @throws ProviderError on a transient failure; a refusal is logged and returned as a result
 */
export async function syncAccount(
  context: Context,
  account: SyncedAccount,
  { now = new Date(), secondsBetweenLists }: SyncOptions = {},
): Promise<SyncResult> {
  const { db, log } = context;
  const nothing = { refreshed: [], takenIn: [], notOurs: [] };
  const { tenants } = families[account.family];
  if (tenants === null) throw new RangeError(`The family ${account.family} has no accounts to sync`);
  const place = (await findTenantWithSubscriptions(db, account)) ?? (await holderOf(context, account, now));
  if (typeof place === "string") return { ...nothing, passedOver: place };

  let listed: ListedVendorSubscription[];
  let refreshed: RefreshedSubscription[];
  try {
    const askedAt = new Date();
    listed = await tenants.listHeld(context, place, { now, secondsBetweenLists });
    refreshed = await refreshAccount(context, place, tenants.keyOf, listed, askedAt);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "refused") throw error;
    log.warn(
      { err: error, account, description: error.description },
      "a provider refused to list an account",
    );
    return { ...nothing, passedOver: "refused by the provider" };
  }

  if (refreshed.length > 0) log.info({ account, refreshed }, "subscriptions were changed at their vendor");

  const readings = listed.map(({ reading }) => reading);
  const skus = await itemsByVendorKey(db, account.family);
  const ours = listed.flatMap(({ reading, says: { inUse } }) => {
    const itemId = reading.is === "running" ? skus.get(reading.found.sku) : undefined;
    return reading.is === "running" && itemId !== undefined ? [{ ...reading.found, itemId, inUse }] : [];
  });
  // After reading the list: an order that bought a listed subscription is either recorded by now or still under way.
  const result = await db.transaction().execute(async (trx): Promise<SyncResult> => {
    const holder = await holderOf({ ...context, db: trx }, account, now);
    if (typeof holder === "string") return { ...nothing, refreshed, passedOver: holder };
    if (await isOrderUnderWay(trx, holder))
      return { ...nothing, refreshed, passedOver: "an order is under way" };
    return {
      refreshed,
      takenIn: await takeIn(trx, holder, ours, tenants.keyOf, now),
      notOurs: notOurs(readings, skus),
      passedOver: null,
    };
  });
  if (result.passedOver === "an order is under way")
    log.info({ account }, "an account with an order under way was passed over");
  if (result.takenIn.length > 0)
    log.info({ account, takenIn: result.takenIn }, "subscriptions were taken in");
  if (result.notOurs.length > 0)
    log.info({ account, notOurs: result.notOurs }, "subscriptions that are not sold here were left");
  return result;
}

/** Finds the company that has proved control of the tenant; otherwise returns and logs the reason why it is unclear. */
async function holderOf(
  { db, log }: Pick<Context, "db" | "log">,
  account: SyncedAccount,
  now: Date,
): Promise<Tenant | "held by two companies" | "nobody's by proof"> {
  const holders = await findProvenOwners(db, account, now);
  const [holder] = holders;
  if (holder !== undefined && holders.length === 1) return holder;
  const why = holder === undefined ? "nobody's by proof" : "held by two companies";
  log.warn(
    { account, companies: holders.length, why },
    "an account was left, since it is not known whose it is",
  );
  return why;
}

/** Lists subscriptions whose SKU or terms we do not sell; each combination once. */
function notOurs(readings: readonly ParseResult[], skus: ReadonlyMap<string, ItemId>): SyncResult["notOurs"] {
  const sorts = readings.flatMap((reading) => {
    if (reading.is === "unsupported") return [{ sku: reading.sku, why: reading.why }];
    if (reading.is === "ended" || skus.has(reading.found.sku)) return [];
    return [{ sku: reading.found.sku, why: "not sold here" }];
  });
  return [...new Map(sorts.map((sort) => [`${sort.sku} ${sort.why}`, sort])).values()];
}

async function takeIn(
  trx: Trx,
  holder: Tenant,
  ours: readonly (ParsedSubscription & { itemId: ItemId; inUse: LicenceUse | null })[],
  keyOf: TenantRules["keyOf"],
  now: Date,
): Promise<ImportedSubscription[]> {
  const known = await listKnownSubscriptions(
    trx,
    holder,
    ours.map(({ externalId }) => externalId),
  );
  const knownKeys = new Set(known.map(({ externalId }) => keyOf(externalId)));
  const parents = new Map(
    known.filter(({ tenantId }) => tenantId === holder.id).map((row) => [keyOf(row.externalId), row.id]),
  );
  const takenIn: ImportedSubscription[] = [];
  for (const found of parentsFirst(ours)) {
    if (knownKeys.has(keyOf(found.externalId))) continue;
    const { itemId, quantity } = found;
    const id = newId<SubscriptionId>();
    const parent = found.parentExternalId === null ? undefined : parents.get(keyOf(found.parentExternalId));
    const inserted = await insertImportedSubscription(trx, {
      id,
      customerId: holder.customerId,
      tenantId: holder.id,
      orderId: null,
      itemId,
      family: holder.family,
      externalId: found.externalId,
      domain: holder.domain,
      quantity,
      term: found.term,
      billingCycle: found.billingCycle,
      status: "active",
      parentSubscriptionId: parent ?? null,
      start: found.start,
      end: found.end,
      isSuspended: false,
      readAt: now,
    });
    if (!inserted) continue;
    const { start, end } = found;
    const said = {
      state: "active",
      quantity,
      term: { start, end },
      atEnd: null,
      inUse: found.inUse,
    } as const;
    await saveVendorSnapshot(trx, id, said, now);
    parents.set(keyOf(found.externalId), id);
    await recordAudit(trx, {
      userId: null,
      action: "subscription.take-in",
      subject: `subscription:${id}`,
      data: { externalId: found.externalId, itemId, quantity },
    });
    takenIn.push({ subscriptionId: id, itemId, quantity, domain: holder.domain });
  }
  return takenIn;
}

/** Sorts base subscriptions before add-ons. One pass is enough, because an add-on has no add-ons. */
function parentsFirst<Of extends Pick<ParsedSubscription, "parentExternalId">>(all: readonly Of[]): Of[] {
  return [
    ...all.filter((one) => one.parentExternalId === null),
    ...all.filter((one) => one.parentExternalId !== null),
  ];
}
