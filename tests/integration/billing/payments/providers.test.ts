/**
 * Rows with a provider's id also name the provider: the table of providers matches the code, and an id is unique per provider.
 */
import { type RawBuilder, sql } from "kysely";
import { expect, test } from "vitest";
import { findIntentByProviderOrder } from "#db/billing/payment-intents.ts";
import { newId } from "#db/ids.ts";
import { paymentProviderIds } from "#server/billing/payments/registry.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { makeOrder } from "#tests/support/orders.ts";

const { db } = await createTestDatabase();
const order = await makeOrder(db);
const payment = "pay_same";

const intent = (providerOrderId: string, provider: RawBuilder<unknown>) =>
  sql`insert into payment_intents (id, order_id, receipt, provider, provider_order_id, amount_minor, currency, status)
    values (${newId()}, ${order}, ${newId()}, ${provider}, ${providerOrderId}, 100, 'INR', 'superseded')`.execute(
    db,
  );
const paid = (id: string, provider: RawBuilder<unknown>) =>
  sql`insert into payments (id, order_id, provider, provider_payment_id, provider_order_id, status)
    values (${newId()}, ${order}, ${provider}, ${id}, 'order_1', 'failed')`.execute(db);
const refund = (paymentId: string, provider: RawBuilder<unknown>) =>
  sql`insert into refunds (id, order_id, provider, provider_payment_id, amount_minor, currency, reason, status)
    values (${newId()}, ${order}, ${provider}, ${paymentId}, 100, 'INR', 'why', 'requested')`.execute(db);
const event = (provider: string) =>
  sql`insert into provider_events (provider, event_id, type, payload) values (${provider}, 'evt_1', 'x', '{}')`.execute(
    db,
  );
const unnamed = sql`default`;
const razorpay = sql`'razorpay'`;
const bank = sql`'bank'`;

test("lists the same providers in code and database", async () => {
  const rows = await db.selectFrom("payment_providers").select("id").execute();
  expect(rows.map(({ id }) => id).sort()).toEqual([...paymentProviderIds].sort());
});

test("refuses rows without a provider or with an unknown one", async () => {
  await expect(intent("order_1", unnamed)).rejects.toThrow(/not-null/);
  await expect(paid(payment, unnamed)).rejects.toThrow(/not-null/);
  await expect(refund(payment, unnamed)).rejects.toThrow(/not-null/);
  await intent("order_1", razorpay);
  await paid(payment, razorpay);
  await refund(payment, razorpay);

  await expect(intent("order_2", bank)).rejects.toThrow(/foreign key/);
  await expect(paid("pay_2", bank)).rejects.toThrow(/foreign key/);
  await expect(refund(payment, bank)).rejects.toThrow(/foreign key/);
  await expect(event("bank")).rejects.toThrow(/foreign key/);
});

test("allows the same id at another provider, but once per provider", async () => {
  await sql`insert into payment_providers (id) values ('bank')`.execute(db);
  await intent("order_1", bank);
  await paid(payment, bank);
  await event("bank");
  await event("razorpay");
  await expect(intent("order_1", razorpay)).rejects.toThrow(/payment_intents_provider_order/);
  await expect(intent("order_1", bank)).rejects.toThrow(/payment_intents_provider_order/);
  const found = await findIntentByProviderOrder(db, { provider: "razorpay", providerOrderId: "order_1" });
  expect(found).toMatchObject({ provider: "razorpay", providerOrderId: "order_1" });
  // A refund belongs to its payment's provider.
  await expect(refund("pay_2", bank)).rejects.toThrow(/refunds_payment_of_provider/);
});
