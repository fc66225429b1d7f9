/** An order's tax follows its supply, also when the supply changes between pricing and Place Order. */
import { expect, test } from "vitest";
import { saveRegistration } from "#db/accounts/gst-registrations.ts";
import type { Country } from "#db/tables/enums.ts";
import { beginPayment } from "#server/billing/payments/begin.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import { getItem } from "#server/catalogue/items.ts";
import { beginOrder } from "#server/orders/draft.ts";
import type { Requester } from "#server/orders/find.ts";
import { getOrderFor } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";
import { makeCompany, makeOrder, makePerson, readOrder } from "#tests/support/orders.ts";
import { accountAnswers, catalogueItem } from "#tests/support/priced-order.ts";
import { startWorld } from "#tests/support/world.ts";

const { context, controls } = await startWorld();
const { db } = context;
const indian = context.env.sellers.get("IN");
const basic = catalogueItem("microsoft-365-business-basic");
const now = new Date();
/** India's financial year of today. */
const first = now.getMonth() >= 3 ? now.getFullYear() : now.getFullYear() - 1;
const under = [{ year: `${first}-${String(first + 1).slice(2)}`, number: "AD290399000199Z" }];

/** Returns the context with the Indian seller in `country`, with these letters of undertaking. */
function selling(country: Country, letters: typeof under): Context {
  if (indian === undefined) throw new Error("Expected a seller in India");
  const sellers = new Map(context.env.sellers).set(country, { ...indian, letters });
  return { ...context, env: { ...context.env, sellers } };
}

async function company(): Promise<Requester> {
  const buyer = await makePerson(db);
  const id = await makeCompany(db, buyer);
  return { userId: buyer.userId, customer: { id, role: "owner" }, draftKey: null };
}

async function beginAbroad(store: Context) {
  const item = await getItem(db, basic.id);
  const requester = await company();
  const id = await db.transaction().execute((trx) =>
    beginOrder(trx, {
      item,
      country: "US",
      selection: { term: "P1Y", billingCycle: "annual", quantity: 2 },
      placement: null,
      requester,
      sellers: store.env.sellers,
      now,
    }),
  );
  return readOrder(db, id);
}

test("exempts an export under a letter, and charges IGST without one", async () => {
  const exempt = await beginAbroad(selling("US", under));
  expect(exempt).toMatchObject({
    tax_rate_basis_points: 0,
    tax_minor: 0,
    total_minor: exempt.subtotal_minor,
  });
  const taxed = await beginAbroad(selling("US", []));
  expect(taxed.tax_rate_basis_points).toBe(1_800);
  expect(taxed.total_minor).toBe(taxed.subtotal_minor + Math.round(taxed.subtotal_minor * 0.18));
  expect(taxed.details).toMatchObject({ supply: { type: "EXPWP", letter: null } });
});

test("shows the new total at Place Order after a letter has ended", async () => {
  const gstin = "29AAGCS5678Q1Z7";
  await saveRegistration(
    db,
    { gstin, legalName: "SILVER COMET", tradeName: "", status: "Active", taxpayerType: "SEZ Unit" },
    now,
  );
  const requester = await company();
  const id = await makeOrder(
    db,
    { requester, quantity: 3 },
    {
      stage: "stage2",
      customer_id: requester.customer?.id ?? null,
      account: JSON.stringify(accountAnswers({ gst_code: gstin })),
    },
  );
  const begin = async (store: Context) => {
    const order = await getOrderFor(db, id, requester);
    return beginPayment(store, {
      order,
      requester,
      shownTotalMinor: order.total.minor,
      shownAgreement: null,
      now,
    });
  };
  const [exempt, taxed] = [selling("IN", under), selling("IN", [])];
  // Priced before the buyer was known to be in a special economic zone.
  await expect(begin(exempt)).rejects.toMatchObject({ code: "price_changed" });
  const { subtotal_minor, tax_minor } = await readOrder(db, id);
  expect(tax_minor).toBe(0);
  const first = await begin(exempt);

  await expect(begin(taxed)).rejects.toMatchObject({ code: "price_changed" });
  const dearer = await readOrder(db, id);
  expect(dearer).toMatchObject({ subtotal_minor, tax_rate_basis_points: 1_800 });
  expect(dearer.details).toMatchObject({ supply: { type: "SEZWP" } });
  await begin(taxed);

  // A buyer who still pays in the first window gets the order, and the operator is alerted about the letter.
  const { paymentId } = await controls.pay({ orderId: first.providerOrderId, webhook: false });
  const settled = await settlePayment(taxed, {
    provider: "razorpay",
    account: "IN",
    providerOrderId: first.providerOrderId,
    providerPaymentId: paymentId,
  });
  expect(settled.state).toBe("completed");
  const paid = await readOrder(db, id);
  expect(paid).toMatchObject({ tax_minor: 0, payment_status: "completed" });
  const invoice = await db
    .selectFrom("invoices")
    .select("facts")
    .where("order_id", "=", id)
    .executeTakeFirstOrThrow();
  expect(invoice.facts).toMatchObject({ supply: { type: "SEZWOP" }, taxes: [] });
  const alerts = await db
    .selectFrom("mails")
    .select("dedupe_key")
    .where("order_id", "=", id)
    .where("kind", "=", "operator-alert")
    .execute();
  expect(alerts.map(({ dedupe_key }) => dedupe_key)).toEqual([
    expect.stringMatching(/^letter-of-undertaking:IN\//),
  ]);
});
