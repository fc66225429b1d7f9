/** The outcome of a Google order, counted in the store's database and at Google. */
import { fulfilledOnce, type Placed, type Sides, type StoreOutcome, storeSide } from "./outcome.ts";

export interface Entitlement {
  sku: string;
  numUnits: number;
  /** Whether it belongs to our order. */
  isOrders: boolean;
}

export interface GoogleOutcome extends StoreOutcome {
  /** Entities at Google for the order's domain. */
  customers: number;
  entitlements: Entitlement[];
  /** Whether the store's subscription is the ordered plan's entitlement. */
  sameSubscription: boolean;
  users: { name: string; admin: boolean; opensWithShownPassword: boolean }[];
}

/** SKU of googlePlan at the sandbox's Google. */
export const orderedSku = "1010020027";
const orderedEntitlement: Entitlement = { sku: orderedSku, numUnits: 2, isOrders: true };

/** The outcome of an order that was fulfilled exactly once. */
export function exactlyOnceAtGoogle({ user }: Pick<Placed, "user">): GoogleOutcome {
  return {
    ...fulfilledOnce,
    customers: 1,
    entitlements: [orderedEntitlement],
    sameSubscription: true,
    users: user === null ? [] : [{ name: user, admin: true, opensWithShownPassword: true }],
  };
}

export async function googleOutcomeOf(sides: Sides, placed: Placed): Promise<GoogleOutcome> {
  const [{ outcome, externalIds, shown }, { google }] = await Promise.all([
    storeSide(sides, placed),
    sides.provider.state(),
  ]);
  const customers = google.customers.filter(({ domain }) => domain === placed.domain);
  const names = customers.map(({ name }) => name);
  const entitlements = google.entitlements.filter(({ customerName }) => names.includes(customerName));
  const skuOf = ({ sku }: { sku: string }) => sku.split("/").at(-1) ?? "";
  const wanted = entitlements.filter((each) => skuOf(each) === orderedSku).map(({ name }) => name);
  return {
    ...outcome,
    customers: customers.length,
    entitlements: entitlements.map((each) => ({
      sku: skuOf(each),
      numUnits: each.numUnits,
      isOrders: each.purchaseOrderId === placed.id,
    })),
    sameSubscription: externalIds.length > 0 && externalIds.every((id) => wanted.includes(id)),
    users: google.users
      .filter(({ customerName }) => names.includes(customerName))
      .map(({ primaryEmail, password, isAdmin }) => ({
        name: primaryEmail,
        admin: isAdmin,
        opensWithShownPassword: shown?.username === primaryEmail && shown.password === password,
      })),
  };
}
