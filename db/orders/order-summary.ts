/** The fields that every list of orders shows. */
import type { OrderId } from "#db/ids.ts";
import type { FamilyId, FulfilmentStatus, OrderKind, PaymentStatus, Stage } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";

export interface OrderSummary {
  id: OrderId;
  number: number;
  createdAt: Date;
  kind: OrderKind;
  family: FamilyId;
  stage: Stage;
  paymentStatus: PaymentStatus;
  fulfilmentStatus: FulfilmentStatus;
  /** Name of the item on the order's one line. */
  item: string;
  quantity: number;
  /** Null until the buyer has entered one. */
  company: string | null;
}

/** Query of orders with the fields of `OrderSummary`, for the caller to filter and sort. */
export const orderSummaries = (db: Db) =>
  db
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .leftJoin("customers", "customers.id", "orders.customer_id")
    .where("order_lines.position", "=", 0)
    .select([
      "orders.id",
      "orders.number",
      "orders.created_at as createdAt",
      "orders.kind",
      "orders.family",
      "orders.stage",
      "orders.payment_status as paymentStatus",
      "orders.fulfilment_status as fulfilmentStatus",
      "order_lines.name as item",
      "order_lines.quantity",
      "customers.name as company",
    ]);
