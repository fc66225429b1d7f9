/** Subscriptions to which an add-on can be bought. */
import { sql } from "kysely";
import { isItemId } from "#db/catalogue/catalogue.ts";
import type { CustomerId, ItemId, SubscriptionId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { type Subscription, soldFrom } from "./subscriptions.ts";

/** A subscription that an add-on can go with. `held` counts its seats that have the add-on or are paid to get it. */
export type AddOnBase = Pick<
  Subscription,
  "id" | "tenantId" | "name" | "domain" | "country" | "quantity" | "end"
> & {
  held: number;
};

const bases = (db: Db, addOnId: ItemId) =>
  db
    .selectFrom("subscriptions")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .innerJoin("customers", "customers.id", "subscriptions.customer_id")
    .select((eb) => [
      "subscriptions.id",
      "subscriptions.tenant_id as tenantId",
      soldFrom.as("country"),
      "catalogue_items.name",
      "subscriptions.domain",
      "subscriptions.quantity",
      "subscriptions.end_date as end",
      eb
        .selectFrom("subscriptions as add_ons")
        .select(({ fn }) => fn.coalesce(fn.sum<string>("add_ons.quantity"), sql.lit("0")).as("seats"))
        .whereRef("add_ons.parent_subscription_id", "=", "subscriptions.id")
        .where("add_ons.item_id", "=", addOnId)
        .where("add_ons.status", "=", "active")
        .as("in_use"),
      eb
        .selectFrom("orders")
        .innerJoin("order_lines", "order_lines.order_id", "orders.id")
        .select(({ fn }) => fn.coalesce(fn.sum<string>("order_lines.quantity"), sql.lit("0")).as("seats"))
        .whereRef("orders.parent_subscription_id", "=", "subscriptions.id")
        .where("orders.item_id", "=", addOnId)
        .where("orders.stage", "=", "stage3")
        .as("paid_for"),
    ])
    .where("subscriptions.status", "=", "active")
    .where("subscriptions.suspended", "=", false);

const toBase = ({
  in_use,
  paid_for,
  ...row
}: Omit<AddOnBase, "held"> & { in_use: string | null; paid_for: string | null }): AddOnBase => ({
  ...row,
  held: Number(in_use) + Number(paid_for),
});

/** Lists a company's active subscriptions to one of these items, the last to end first. */
export async function listAddOnBases(
  db: Db,
  customerId: CustomerId,
  { addOnId, baseItemIds }: { addOnId: ItemId; baseItemIds: readonly string[] },
): Promise<AddOnBase[]> {
  const rows = await bases(db, addOnId)
    .where("subscriptions.customer_id", "=", customerId)
    .where("subscriptions.item_id", "in", baseItemIds.filter(isItemId))
    .orderBy("subscriptions.end_date", "desc")
    .orderBy("subscriptions.id")
    .execute();
  return rows.map(toBase);
}

/** Reads one base and locks it until the transaction ends, so that concurrent add-on orders are counted in turn. */
export async function lockAddOnBase(
  trx: Trx,
  id: SubscriptionId,
  addOnId: ItemId,
): Promise<AddOnBase | null> {
  await trx.selectFrom("subscriptions").select("id").where("id", "=", id).forUpdate().executeTakeFirst();
  const row = await bases(trx, addOnId).where("subscriptions.id", "=", id).executeTakeFirst();
  return row === undefined ? null : toBase(row);
}
