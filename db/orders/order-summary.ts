/** What lists of orders say of each, whoever reads them. */
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
  /** What is bought first of all: the one line that every order has. */
  item: string;
  quantity: number;
  /** Null until the buyer has named one. */
  company: string | null;
}

/** Orders with what a list says of them, to be narrowed and put in order. */
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
